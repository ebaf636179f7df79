import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fontArrival } from '../../src/app/font-arrival';

describe('the font of the page', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  it('is waited for, and not missed where it cannot come', async () => {
    await fontArrival({ load: () => Promise.resolve([]) }, '1em Inter');
    await fontArrival({ load: () => Promise.reject(new Error('gone')) }, '1em Inter');
  });

  it('is waited for no longer than a second', async () => {
    const late = vi.fn<() => void>();
    void fontArrival({ load: () => new Promise(() => undefined) }, '1em Inter').then(late);
    await vi.advanceTimersByTimeAsync(900);
    expect(late).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(200);
    expect(late).toHaveBeenCalled();
  });
});
