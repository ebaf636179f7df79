import { withDeadline } from '../deadline';
import type { Environment } from '../environment';
import { KeyRefusedError, ServerError } from '../errors';
import { serverAddress, type EffectiveSettings } from '../settings';
import type { Session, TableServer } from '../table-server';
import { DoorLine } from './door-line';
import { DoorSession } from './door-session';
import { UnreadableError, type ServerMessage } from './wire';

/** The table server behind livejoin's own address, spoken to as docs/protocol.md describes it. */
export class DoorServer implements TableServer {
  constructor(
    private readonly environment: Environment,
    private readonly settings: Pick<EffectiveSettings, 'url' | 'loginWithinMs' | 'answerWithinMs'>,
  ) {}

  async open(key: string): Promise<Session> {
    const line = new DoorLine(this.environment, serverAddress(this.settings.url));
    try {
      const login = this.#login(line, key);
      return await withDeadline(this.environment, 'Logging in', this.settings.loginWithinMs, login);
    } catch (error) {
      line.close();
      throw error;
    }
  }

  #login(line: DoorLine, key: string): Promise<Session> {
    return new Promise((resolve, reject) => {
      line.hear({
        heard: (message) => {
          if (message.is !== 'welcome') reject(refusal(message));
          else resolve(new DoorSession(line, this.environment, this.settings.answerWithinMs));
        },
        ended: (reason) => {
          reject(new ServerError(reason));
        },
      });
      line.say({ do: 'login', key });
    });
  }
}

function refusal(message: ServerMessage): Error {
  if (message.is !== 'refused') return new UnreadableError(`"${message.is}" before a login`);
  return message.why === 'key' ? new KeyRefusedError() : new ServerError(message.reason);
}
