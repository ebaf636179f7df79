import { beforeEach, describe, expect, it } from 'vitest';
import { HeadDrag } from '../../src/live-table/head-drag';

describe('HeadDrag', () => {
  let drag: HeadDrag;

  beforeEach(() => {
    drag = new HeadDrag();
  });

  it('pulls an edge by as much as the pointer moves', () => {
    const widths = new Map([
      ['userId', 120.5],
      ['age', 80],
    ]);
    drag.pull('age', 300, widths);
    drag.moved(330);
    expect([...(drag.widened() ?? [])]).toEqual([
      ['userId', 120.5],
      ['age', 110],
    ]);
    drag.moved(-500);
    expect(drag.widened()?.get('age')).toBe(48);
    drag.release();
    expect(drag.widened()).toBeNull();
  });

  it('carries a head to where the pointer is among the others', () => {
    drag.carry('age', 150, [50, 250, 350]);
    drag.moved(260);
    expect(drag.carried()).toEqual({ name: 'age', index: 2 });
    drag.moved(20);
    expect(drag.carried()).toEqual({ name: 'age', index: 0 });
  });

  it('takes a hand that trembles for a click, and nobody for nothing', () => {
    drag.moved(500);
    drag.carry('age', 150, [50, 250]);
    drag.moved(153);
    expect([drag.carried(), drag.widened()]).toEqual([null, null]);
  });
});
