import { describe, expect, it, vi } from 'vitest';
import { Retry, retryDelay } from '../../src/connection/retry';
import { FakeEnvironment } from 'livejoin-client/testing';

describe('the delay before a try', () => {
  it('begins at 150 ms, grows by half each time and never exceeds 10 s', () => {
    const full = [1, 2, 3, 12, 100].map((attempt) => retryDelay(attempt, 1));
    expect(full).toEqual([150, 225, 338, 10_000, 10_000]);
  });

  it('is at least half of that, whatever the dice say', () => {
    expect(retryDelay(1, 0)).toBe(75);
    expect(retryDelay(100, 0)).toBe(5_000);
  });
});

describe('Retry', () => {
  it('says when the next try is and makes it then', async () => {
    const environment = new FakeEnvironment();
    const run = vi.fn();
    expect(new Retry(environment).schedule(run)).toBe(environment.now() + 150);
    await environment.pass(149);
    expect(run).not.toHaveBeenCalled();
    await environment.pass(1);
    expect(run).toHaveBeenCalledOnce();
  });

  it('has at most one try planned', async () => {
    const environment = new FakeEnvironment();
    const retry = new Retry(environment);
    const first = vi.fn();
    const second = vi.fn();
    retry.schedule(first);
    retry.schedule(second);
    await environment.pass(60_000);
    expect(first).not.toHaveBeenCalled();
    expect(second).toHaveBeenCalledOnce();
  });

  it('hurries only what is planned', async () => {
    const environment = new FakeEnvironment();
    const retry = new Retry(environment);
    const run = vi.fn();
    retry.hurry();
    retry.schedule(run);
    retry.hurry();
    expect(run).toHaveBeenCalledOnce();
    await environment.pass(60_000);
    expect(run).toHaveBeenCalledOnce();
  });

  it('counts on when something works only for a moment, and from the beginning when it worked for a while', async () => {
    const environment = new FakeEnvironment();
    const retry = new Retry(environment);
    retry.schedule(vi.fn());
    retry.works();
    await environment.pass(4_999);
    retry.schedule(vi.fn());
    expect(retry.attempt).toBe(2);
    retry.works();
    await environment.pass(5_000);
    retry.schedule(vi.fn());
    expect(retry.attempt).toBe(1);
  });
});
