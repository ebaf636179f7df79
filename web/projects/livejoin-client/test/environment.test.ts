// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { browserEnvironment, type Environment } from '../src/environment';

describe('the surroundings in a browser', () => {
  let environment: Environment;

  beforeEach(() => {
    environment = browserEnvironment();
  });

  afterEach(() => {
    vi.restoreAllMocks();
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

  it('reach an address without the help of a cache, and give up in time', async () => {
    const asked = vi.spyOn(globalThis, 'fetch').mockImplementation(
      (_, init) =>
        new Promise((_, reject) => {
          init?.signal?.addEventListener('abort', () => {
            reject(new Error('gave up'));
          });
        }),
    );
    await expect(environment.reach('http://host/', 5)).rejects.toThrow('gave up');
    expect(asked.mock.calls[0]?.[1]?.cache).toBe('no-store');
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
