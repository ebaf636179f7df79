import { withDeadline } from '../deadline';
import type { Environment } from '../environment';
import { serverAddress, type EffectiveSettings } from '../settings';
import type { Rights, Session, TableServer } from '../table-server';
import { DoorLine } from './door-line';
import { DoorSession } from './door-session';
import { refusal, UnreadableError, type ServerMessage } from './wire';

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
          if (message.is === 'welcome') resolve(this.#session(line, message));
          else reject(notWelcome(message));
        },
        ended: reject,
      });
      line.say({ do: 'login', key });
    });
  }

  #session(line: DoorLine, { role, name, mayExport }: Rights): Session {
    return new DoorSession(line, { role, name, mayExport }, this.environment, this.settings.answerWithinMs);
  }
}

function notWelcome(message: ServerMessage): Error {
  return message.is === 'refused' ? refusal(message) : new UnreadableError(`"${message.is}" before a login`);
}
