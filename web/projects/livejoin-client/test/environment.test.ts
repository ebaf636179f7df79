// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { browserEnvironment, type Environment } from '../src/environment';

/** A WebSocket that notes what is done with it. */
class SilentSocket extends EventTarget {
  static readonly made: SilentSocket[] = [];
  readonly done: string[] = [];

  constructor(readonly url: string) {
    super();
    SilentSocket.made.push(this);
  }

  send(text: string): void {
    this.done.push(`send ${text}`);
  }

  close(): void {
    this.done.push('close');
  }
}

describe('the surroundings in a browser', () => {
  let environment: Environment;

  beforeEach(() => {
    environment = browserEnvironment();
  });

  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });

  it('run a timer once, and not one that was cleared', async () => {
    const ran: string[] = [];
    const cleared = environment.setTimer(() => ran.push('cleared'), 0);
    environment.clearTimer(cleared);
    await new Promise<void>((done) => {
      environment.setTimer(() => {
        ran.push('kept');
        done();
      }, 1);
    });
    expect(ran).toEqual(['kept']);
  });

  it('tell of a network that comes and goes, until nobody listens', () => {
    const heard: boolean[] = [];
    const online = vi.spyOn(navigator, 'onLine', 'get');
    const stop = environment.onNetwork((isOnline) => heard.push(isOnline));
    for (const isOnline of [false, true]) {
      online.mockReturnValue(isOnline);
      window.dispatchEvent(new Event(isOnline ? 'online' : 'offline'));
    }
    stop();
    window.dispatchEvent(new Event('offline'));
    expect(heard).toEqual([false, true]);
  });

  it('open a socket, and tell what is heard of it', () => {
    vi.stubGlobal('WebSocket', SilentSocket);
    const heard: unknown[] = [];
    const socket = environment.openSocket('ws://host/tables', {
      opened: () => heard.push('opened'),
      heard: (message) => heard.push(message),
      closed: (code) => heard.push(code),
    });
    const [raw] = SilentSocket.made;
    raw?.dispatchEvent(new Event('open'));
    raw?.dispatchEvent(new MessageEvent('message', { data: 'hello' }));
    raw?.dispatchEvent(new Event('error'));
    raw?.dispatchEvent(Object.assign(new Event('close'), { code: 4401 }));
    expect(heard).toEqual(['opened', 'hello', 4401]);
    socket.send('hello yourself');
    socket.close();
    expect([raw?.url, raw?.done]).toEqual(['ws://host/tables', ['send hello yourself', 'close']]);
  });

  it('paint frames, and say a line to who looks', async () => {
    const said = vi.spyOn(console, 'info').mockImplementation(() => undefined);
    await new Promise<void>((painted) => {
      environment.requestFrame(painted);
    });
    environment.report('live');
    expect(said).toHaveBeenCalledExactlyOnceWith('live');
  });
});
