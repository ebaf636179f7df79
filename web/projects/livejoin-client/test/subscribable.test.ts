import { describe, expect, it, vi } from 'vitest';
import { Subscribable } from '../src/subscribable';

describe('Subscribable', () => {
  it('tells its listeners about changes until they leave', () => {
    const value = new Subscribable(1);
    const listener = vi.fn();
    const leave = value.subscribe(listener);
    value.set(2);
    leave();
    value.set(3);
    expect(listener.mock.calls).toEqual([[2]]);
    expect(value.value).toBe(3);
  });

  it('tells the others when one of them throws, and reports what it threw', () => {
    const reported = vi.fn();
    vi.stubGlobal('reportError', reported);
    const value = new Subscribable(1);
    const [mistake, second] = [new Error('a mistake of the application'), vi.fn()];
    value.subscribe(() => {
      throw mistake;
    });
    value.subscribe(second);
    value.set(2);
    vi.unstubAllGlobals();
    expect(second).toHaveBeenCalledOnce();
    expect(reported).toHaveBeenCalledExactlyOnceWith(mistake);
  });

  it('lets a listener leave while it is being told', () => {
    const value = new Subscribable(1);
    const second = vi.fn();
    const leave = value.subscribe(() => {
      leave();
    });
    value.subscribe(second);
    value.set(2);
    expect(second).toHaveBeenCalledOnce();
  });
});
