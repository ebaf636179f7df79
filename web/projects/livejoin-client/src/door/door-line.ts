import type { Environment, Socket } from '../environment';
import { KeyRefusedError, ServerError, type LivejoinError } from '../errors';
import { KEY_REFUSED, readMessage, UnreadableError, type ClientMessage, type ServerMessage } from './wire';

/** What is heard over a line. */
export interface LineListener {
  heard(message: ServerMessage): void;
  /** Once, unless the line is closed by its owner. */
  ended(why: LivejoinError): void;
}

/** One socket to the door, with messages instead of texts and one end, whatever brings it. Its owner closes it. */
export class DoorLine {
  readonly #socket: Socket;
  #state: 'opening' | 'open' | 'ended' = 'opening';
  #unsent: string[] = [];
  #listener: LineListener | null = null;

  /** `address` is one of http or https. */
  constructor(environment: Environment, address: string) {
    this.#socket = environment.openSocket(`${address.replace(/^http/, 'ws')}/tables`, {
      opened: () => {
        this.#opened();
      },
      heard: (message) => {
        this.#heard(message);
      },
      closed: (code) => {
        if (code === KEY_REFUSED) this.breakOff(new KeyRefusedError());
        else this.breakOff(new ServerError(this.#howLost(address)));
      },
    });
  }

  get hasEnded(): boolean {
    return this.#state === 'ended';
  }

  /** One listener at a time: whoever logs in hands the line over. */
  hear(listener: LineListener): void {
    this.#listener = listener;
  }

  /** Waits for the socket to be open, and says nothing after the end. */
  say(message: ClientMessage): void {
    const text = JSON.stringify(message);
    if (this.#state === 'opening') this.#unsent.push(text);
    if (this.#state === 'open') this.#socket.send(text);
  }

  close(): void {
    this.#listener = null;
    if (this.hasEnded) return;
    this.#state = 'ended';
    this.#socket.close();
  }

  /** Ends a line that is of no use any more, and tells why. */
  breakOff(why: LivejoinError): void {
    const listener = this.#listener;
    this.close();
    listener?.ended(why);
  }

  #howLost(address: string): string {
    return this.#state === 'open'
      ? 'The connection to the table server was lost.'
      : `The table server at ${address} is not reachable.`;
  }

  #opened(): void {
    if (this.hasEnded) return;
    this.#state = 'open';
    for (const text of this.#unsent) this.#socket.send(text);
    this.#unsent = [];
  }

  #heard(message: unknown): void {
    if (this.hasEnded) return;
    try {
      this.#listener?.heard(readMessage(message));
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error;
      this.breakOff(error);
    }
  }
}
