import type { FakeEnvironment } from 'livejoin-client/testing';
import type { Socket, SocketListener } from '../../src/environment';
import { DoorLine } from '../../src/door/door-line';
import { DoorSession } from '../../src/door/door-session';
import type { ClientMessage } from '../../src/door/wire';
import type { Rights } from '../../src/table-server';

export const ADDRESS = 'http://host:8080';

export const RIGHTS: Rights = { role: 'viewer', name: 'ana', mayExport: true };
export const WELCOME = { is: 'welcome', ...RIGHTS };

/** The other end of every socket that is opened in an environment. Says only what a test makes it say. */
export class FakeDoor {
  readonly sockets: FakeSocket[] = [];

  constructor(environment: FakeEnvironment) {
    environment.openSocket = (url, listener) => {
      const socket = new FakeSocket(url, listener);
      this.sockets.push(socket);
      return socket;
    };
  }

  get latest(): FakeSocket {
    const socket = this.sockets.at(-1);
    if (socket === undefined) throw new Error('nobody has come');
    return socket;
  }
}

export class FakeSocket implements Socket {
  readonly said: ClientMessage[] = [];
  state: 'opening' | 'open' | 'closed' = 'opening';

  constructor(
    readonly url: string,
    private readonly listener: SocketListener,
  ) {}

  send(text: string): void {
    if (this.state !== 'open') throw new Error(`a ${this.state} socket takes nothing`);
    this.said.push(JSON.parse(text) as ClientMessage);
  }

  close(): void {
    this.state = 'closed';
  }

  open(): void {
    this.state = 'open';
    this.listener.opened();
  }

  /** As a message of the protocol, whether it is one or not. */
  say(message: unknown): void {
    this.listener.heard(JSON.stringify(message));
  }

  sayRaw(data: unknown): void {
    this.listener.heard(data);
  }

  /** Without another code as a connection that breaks. */
  drop(code = 1006): void {
    this.state = 'closed';
    this.listener.closed(code);
  }
}

/** A session that is logged in, and the other end of its socket. */
export function loggedIn(environment: FakeEnvironment): { session: DoorSession; socket: FakeSocket } {
  const door = new FakeDoor(environment);
  const session = new DoorSession(new DoorLine(environment, ADDRESS), RIGHTS);
  door.latest.open();
  return { session, socket: door.latest };
}
