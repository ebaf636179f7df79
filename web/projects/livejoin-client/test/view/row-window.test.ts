import { describe, expect, it } from 'vitest';
import { contains, coveringWindow, filledUp, sameWindow } from '../../src/view/row-window';

describe('the covering window', () => {
  it('is nothing for nobody', () => {
    expect(coveringWindow([], 100)).toBeNull();
  });

  it('is the hull of all windows while it fits', () => {
    const windows = [
      { first: 10, last: 19 },
      { first: 0, last: 4 },
      { first: 30, last: 39 },
    ];
    expect(coveringWindow(windows, 40)).toEqual({ first: 0, last: 39 });
  });

  it('serves the newest window first beyond the cap, and others that are near it', () => {
    const windows = [
      { first: 0, last: 9 },
      { first: 1_020, last: 1_029 },
      { first: 1_000, last: 1_009 },
    ];
    expect(coveringWindow(windows, 100)).toEqual({ first: 1_000, last: 1_029 });
  });

  it('cuts a single window that is larger than the cap', () => {
    expect(coveringWindow([{ first: 5, last: 500 }], 100)).toEqual({ first: 5, last: 104 });
  });
});

describe('windows', () => {
  it('compare by content', () => {
    expect(sameWindow({ first: 1, last: 2 }, { first: 1, last: 2 })).toBe(true);
    expect(sameWindow({ first: 1, last: 2 }, null)).toBe(false);
    expect(sameWindow(null, null)).toBe(true);
  });

  it('contain what lies within both ends', () => {
    expect(contains({ first: 0, last: 9 }, { first: 0, last: 9 })).toBe(true);
    expect(contains({ first: 0, last: 9 }, { first: 5, last: 10 })).toBe(false);
  });

  it('are moved up where they reach beyond the end, as far as there are rows', () => {
    expect(filledUp({ first: 10, last: 19 }, 100)).toEqual({ first: 10, last: 19 });
    expect(filledUp({ first: 95, last: 104 }, 100)).toEqual({ first: 90, last: 99 });
    expect(filledUp({ first: 500, last: 509 }, 100)).toEqual({ first: 90, last: 99 });
    expect(filledUp({ first: 500, last: 509 }, 3)).toEqual({ first: 0, last: 9 });
  });
});
