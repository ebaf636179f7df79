import { describe, expect, it, vi } from 'vitest';
import { Linger } from '../../src/view/linger';
import { FakeEnvironment } from 'livejoin-client/testing';

describe('Linger', () => {
  it('expires once, after its time', async () => {
    const environment = new FakeEnvironment();
    const expire = vi.fn();
    new Linger(environment, 2_000, expire).start();
    await environment.pass(1_999);
    expect(expire).not.toHaveBeenCalled();
    await environment.pass(10_000);
    expect(expire).toHaveBeenCalledOnce();
  });

  it('is stopped by a newcomer', async () => {
    const environment = new FakeEnvironment();
    const expire = vi.fn();
    const linger = new Linger(environment, 2_000, expire);
    linger.start();
    linger.stop();
    await environment.pass(10_000);
    expect(expire).not.toHaveBeenCalled();
  });
});
