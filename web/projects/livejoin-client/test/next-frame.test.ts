// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { nextFrame } from '../src/next-frame';

let frames: (() => void)[];

beforeEach(() => {
  frames = [];
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.stubGlobal('requestAnimationFrame', (run: () => void) => frames.push(run));
  vi.stubGlobal('cancelAnimationFrame', () => {
    frames = [];
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

function hide(isHidden: boolean): void {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(isHidden);
  document.dispatchEvent(new Event('visibilitychange'));
}

it('is a frame of the browser while somebody looks', () => {
  const run = vi.fn();
  nextFrame(run);
  vi.advanceTimersByTime(60_000);
  expect(run).not.toHaveBeenCalled();
  frames[0]?.();
  expect(run).toHaveBeenCalledOnce();
});

it('comes a second later where nobody looks, because the browser paints nothing', () => {
  hide(true);
  const run = vi.fn();
  nextFrame(run);
  vi.advanceTimersByTime(999);
  expect(run).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(run).toHaveBeenCalledOnce();
  expect(frames).toEqual([]);
});

it('comes also where the page is hidden after it was asked for, and once', () => {
  hide(false);
  const run = vi.fn();
  nextFrame(run);
  hide(true);
  vi.advanceTimersByTime(1_000);
  hide(false);
  hide(true);
  vi.advanceTimersByTime(60_000);
  expect(run).toHaveBeenCalledOnce();
});
