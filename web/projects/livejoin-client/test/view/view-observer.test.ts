import { describe, expect, it, vi } from 'vitest';
import { ViewObserver } from '../../src/view/view-observer';
import { emptySnapshot } from '../../src/view/view-snapshot';

describe('ViewObserver', () => {
  it('tells its view about a new window', () => {
    const view = { refresh: vi.fn(), windowChanged: vi.fn(), release: vi.fn() };
    const observer = new ViewObserver(view, emptySnapshot('users_ui'));
    observer.setWindow({ first: 0, last: 9 });
    expect(observer.window).toEqual({ first: 0, last: 9 });
    expect(view.windowChanged).toHaveBeenCalledWith(observer);
  });

  it('leaves once, and asks for nothing afterwards', () => {
    const view = { refresh: vi.fn(), windowChanged: vi.fn(), release: vi.fn() };
    const observer = new ViewObserver(view, emptySnapshot('users_ui'));
    observer.leave();
    observer.leave();
    observer.setWindow({ first: 0, last: 9 });
    expect(view.release).toHaveBeenCalledOnce();
    expect(view.windowChanged).not.toHaveBeenCalled();
  });
});
