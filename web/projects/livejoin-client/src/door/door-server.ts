import type { Environment } from '../environment';
import { ServerError } from '../errors';
import { serverAddress, type EffectiveSettings } from '../settings';
import type { Rights, Session, TableServer } from '../table-server';
import { DoorLine } from './door-line';
import { DoorSession } from './door-session';
import { refusal, UnreadableError, type ServerMessage } from './wire';

/** The table server behind livejoin's own address, spoken to as docs/protocol.md describes it. */
export class DoorServer implements TableServer {
  constructor(
    private readonly environment: Environment,
    private readonly settings: Pick<EffectiveSettings, 'url'>,
  ) {}

  async open(key: string, givenUp: AbortSignal): Promise<Session> {
    const line = new DoorLine(this.environment, serverAddress(this.settings.url));
    givenUp.addEventListener('abort', () => {
      line.breakOff(new ServerError('The login was given up.'));
    });
    try {
      return await login(line, key, this.environment);
    } catch (error) {
      line.close();
      throw error;
    }
  }
}

function login(line: DoorLine, key: string, environment: Pick<Environment, 'now'>): Promise<Session> {
  return new Promise((resolve, reject) => {
    line.hear({
      heard: (message) => {
        if (message.is !== 'welcome') {
          reject(notWelcome(message));
          return;
        }
        const clockAhead = message.now === undefined ? 0 : message.now - environment.now();
        resolve(new DoorSession(line, rightsOf(message), clockAhead));
      },
      ended: reject,
    });
    line.say({ do: 'login', key });
  });
}

function rightsOf({ role, name, mayExport }: Rights): Rights {
  return { role, name, mayExport };
}

function notWelcome(message: ServerMessage): Error {
  return message.is === 'refused' ? refusal(message) : new UnreadableError(`"${message.is}" before a login`);
}
