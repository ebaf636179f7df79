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
