import { FakeEnvironment } from 'livejoin-client/testing';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Watchdog } from '../../src/connection/watchdog';

describe('Watchdog', () => {
  let environment: FakeEnvironment;
  let watchdog: Watchdog;
  const probe = vi.fn<() => Promise<void>>();
  const dead = vi.fn();

  beforeEach(() => {
    environment = new FakeEnvironment();
    probe.mockReset().mockResolvedValue();
    dead.mockReset();
    watchdog = new Watchdog(environment, 5_000, 4_000, probe, dead);
  });

  it('asks after a silence, and again after the next', async () => {
    await environment.pass(4_999);
    expect(probe).not.toHaveBeenCalled();
    await environment.pass(1);
    expect(probe).toHaveBeenCalledOnce();
    await environment.pass(5_000);
    expect(probe).toHaveBeenCalledTimes(2);
    expect(dead).not.toHaveBeenCalled();
  });

  it('counts the silence from the last sign of life', async () => {
    await environment.pass(3_000);
    watchdog.heard();
    await environment.pass(4_000);
    expect(probe).not.toHaveBeenCalled();
    await environment.pass(1_000);
    expect(probe).toHaveBeenCalledOnce();
  });

  it('declares dead what does not answer in time, or answers with a failure', async () => {
    probe.mockReturnValueOnce(new Promise(() => undefined));
    await environment.pass(8_999);
    expect(dead).not.toHaveBeenCalled();
    await environment.pass(1);
    expect(dead).toHaveBeenCalledOnce();

    const another = new Watchdog(environment, 5_000, 4_000, probe, dead);
    probe.mockRejectedValueOnce(new Error('gone'));
    another.ask();
    await environment.pass(0);
    expect(dead).toHaveBeenCalledTimes(2);
  });

  it('asks at once when told to, but one question at a time', async () => {
    watchdog.ask();
    watchdog.ask();
    expect(probe).toHaveBeenCalledOnce();
    await environment.pass(0);
    watchdog.ask();
    expect(probe).toHaveBeenCalledTimes(2);
  });

  it('says nothing after it was stopped', async () => {
    probe.mockReturnValue(new Promise(() => undefined));
    watchdog.ask();
    watchdog.stop();
    watchdog.ask();
    await environment.pass(60_000);
    expect(probe).toHaveBeenCalledOnce();
    expect(dead).not.toHaveBeenCalled();
    expect(environment.pendingTimers).toBe(0);
  });
});
