import { describe, expect, it } from 'vitest';
import { Viewport, viewportFor } from '../../src/view/viewport';

describe('viewportFor', () => {
  it.each([
    ['lies in the table', [10, 19], 100, [10, 19]],
    [
      'reaches beyond the end: filled up with rows before it, and with room for those that come',
      [90, 129],
      100,
      [60, 129],
    ],
    ['lies beyond the end: as many rows as it has, and room for as many more', [500, 519], 100, [80, 119]],
    ['is longer than the table', [0, 99], 7, [0, 99]],
    ['lies beyond an empty table', [40, 59], 0, [0, 39]],
    ['has more rows than a viewport may have', [0, 999], 5_000, [0, 199]],
    ['has nearly as many, and reaches beyond the end', [100, 279], 150, [80, 279]],
  ])('of a window that %s', (_, [first = 0, last = 0], size, asked) => {
    const viewport = viewportFor({ first, last }, size, 200);
    expect([viewport.first, viewport.last]).toEqual(asked);
  });
});

describe('Viewport', () => {
  it('asks for one row where nobody wants any, so that the size keeps coming', () => {
    expect(new Viewport(200).asked).toEqual({ first: 0, last: 0 });
  });

  it('stays where it is while rows come to a window that has room for them', () => {
    const viewport = new Viewport(200);
    viewport.want([{ first: 80, last: 119 }]);
    expect(viewport.sized(90)).toBe(false);
    const { asked } = viewport;
    for (let size = 91; size < 200; size += 1) expect(viewport.sized(size)).toBe(true);
    expect(viewport.asked).toBe(asked);
  });

  it('fills every window up that reaches beyond the end, also one of several', () => {
    const viewport = new Viewport(200);
    viewport.want([
      { first: 95, last: 104 },
      { first: 40, last: 60 },
    ]);
    viewport.sized(96);
    expect(viewport.asked).toEqual({ first: 40, last: 104 });
    expect(viewport.covers({ first: 95, last: 104 })).toBe(true);
  });

  it('serves the window that was asked for last where they are too far apart', () => {
    const viewport = new Viewport(200);
    viewport.want([
      { first: 0, last: 9 },
      { first: 5_000, last: 5_009 },
    ]);
    viewport.sized(10_000);
    expect(viewport.asked).toEqual({ first: 5_000, last: 5_009 });
    expect([viewport.covers({ first: 0, last: 9 }), viewport.covers({ first: 5_000, last: 5_009 })]).toEqual([
      false,
      true,
    ]);
  });

  it('serves all of them when the table has become short enough', () => {
    const viewport = new Viewport(200);
    viewport.want([
      { first: 0, last: 9 },
      { first: 5_000, last: 5_009 },
    ]);
    viewport.sized(100);
    expect(viewport.covers({ first: 0, last: 9 })).toBe(true);
    expect(viewport.covers({ first: 5_000, last: 5_009 })).toBe(true);
  });
});
