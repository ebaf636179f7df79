import { signal } from '@angular/core';
import type { LiveRow, ViewSnapshot } from 'livejoin-angular';
import { describe, expect, it } from 'vitest';
import { Pause } from '../../src/table-view/pause';

function snapshot(size: number, first: number, last: number): ViewSnapshot {
  const rows: LiveRow[] = [];
  for (let index = first; index <= last; index += 1)
    rows.push({ id: index, index, cells: [], changes: null });
  return {
    table: 't',
    sort: [],
    filter: [],
    state: { kind: 'live' },
    columns: [],
    size,
    rows,
    generation: null,
    covered: true,
    receivedAt: 0,
  };
}

describe('a paused table', () => {
  it('holds what is shown and counts what it holds back', () => {
    const live = signal(snapshot(10, 0, 9));
    const pause = new Pause(live, () => ({ first: 0, last: 5 }));
    const held = pause.shown();
    pause.toggle();
    expect([pause.shown(), pause.note()]).toEqual([held, 'nothing held back']);
    live.set(snapshot(12, 0, 11));
    expect(pause.shown()).toBe(held);
    expect([pause.size(), pause.note()]).toEqual([10, '1 update, 2 new rows held back']);
    pause.toggle();
    expect([pause.shown(), pause.size()]).toEqual([live(), 12]);
  });

  it('does not count rows that came again as they were', () => {
    const live = signal(snapshot(10, 0, 9));
    const pause = new Pause(live, () => ({ first: 0, last: 5 }));
    pause.toggle();
    pause.shown();
    live.set({ ...live(), rows: [...live().rows] });
    expect(pause.note()).toBe('nothing held back');
  });

  it('shows the rows of now to whoever scrolls away from those that are held', () => {
    const live = signal(snapshot(100, 0, 20));
    const visible = signal({ first: 0, last: 5 });
    const pause = new Pause(live, visible);
    pause.toggle();
    pause.shown();
    visible.set({ first: 50, last: 55 });
    live.set(snapshot(100, 40, 60));
    expect(pause.shown()).toBe(live());
    const held = live();
    live.set(snapshot(101, 40, 60));
    expect(pause.shown()).toBe(held);
  });
});
