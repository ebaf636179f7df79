import { describe, expect, it, vi } from 'vitest';
import { withDeadline } from '../../src/connection/deadline';
import { DeadlineError } from '../../src/errors';
import { FakeEnvironment, settle } from 'livejoin-client/testing';

describe('withDeadline', () => {
  it('passes on an answer that comes in time and leaves no timer behind', async () => {
    const environment = new FakeEnvironment();
    await expect(withDeadline(environment, 'Logging in', 4_000, Promise.resolve(7))).resolves.toBe(7);
    expect(environment.pendingTimers).toBe(0);
  });

  it('passes on a failure as it is', async () => {
    const environment = new FakeEnvironment();
    const work = Promise.reject(new Error('no'));
    await expect(withDeadline(environment, 'Logging in', 4_000, work)).rejects.toThrow('no');
    expect(environment.pendingTimers).toBe(0);
  });

  it('stops waiting at the limit and names the step', async () => {
    const environment = new FakeEnvironment();
    const waiting = withDeadline(environment, 'Logging in', 4_000, new Promise(() => undefined));
    const outcome = expect(waiting).rejects.toThrow(new DeadlineError('Logging in', 4_000));
    await environment.pass(4_000);
    await outcome;
  });

  it('disposes of what arrives too late', async () => {
    const environment = new FakeEnvironment();
    const dispose = vi.fn();
    let answer: (value: string) => void = () => undefined;
    const work = new Promise<string>((resolve) => {
      answer = resolve;
    });
    const outcome = expect(withDeadline(environment, 'Fetching', 10, work, dispose)).rejects.toThrow();
    await environment.pass(10);
    answer('late');
    await settle();
    expect(dispose).toHaveBeenCalledWith('late');
    await outcome;
  });
});
