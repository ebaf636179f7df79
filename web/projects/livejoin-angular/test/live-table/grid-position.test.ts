import { signal } from '@angular/core';
import { describe, expect, it } from 'vitest';
import { GridPosition, ROW_HEIGHT } from '../../src/live-table/grid-position';

function positionIn(rows: number, visibleRows = 10) {
  const size = signal(rows);
  const position = new GridPosition(size);
  position.bodyHeight.set(visibleRows * ROW_HEIGHT);
  return { size, position };
}

function positionAt(row: number, rows: number) {
  const { size, position } = positionIn(rows);
  position.moveTo(row);
  return { size, position };
}

describe('GridPosition', () => {
  it('moves by pages and stops at both ends', () => {
    const { position } = positionAt(3, 25);
    position.previous();
    expect(position.visible()).toEqual({ first: 0, last: 9 });
    position.next();
    expect(position.visible()).toEqual({ first: 10, last: 19 });
    position.next();
    expect(position.visible()).toEqual({ first: 15, last: 24 });
    expect(position.atEnd()).toBe(true);
    position.first();
    expect(position.atStart()).toBe(true);
    position.last();
    expect(position.visible()).toEqual({ first: 15, last: 24 });
  });

  it('keeps its place when the table is gone for a moment', () => {
    const { position, size } = positionAt(500, 1_000);
    size.set(0);
    expect(position.top()).toBe(0);
    size.set(1_000);
    expect(position.top()).toBe(500);
  });

  it('asks for whole blocks around what is visible, so that small steps ask for nothing new', () => {
    const { position } = positionAt(500_000, 1_000_000);
    const window = position.window();
    expect(window.first % 32).toBe(0);
    expect(window.first).toBeLessThanOrEqual(500_000 - 16);
    expect(window.last).toBeGreaterThanOrEqual(500_010 + 16);
    position.moveBy(1);
    expect(position.window()).toBe(window);
  });

  it('asks beyond the end of the table, so that a row that is added arrives by itself', () => {
    const { position } = positionIn(3);
    position.first();
    expect(position.window()).toEqual({ first: 0, last: 31 });
  });
});

describe('GridPosition that follows', () => {
  it('opens at the end and stays there as rows arrive', () => {
    const { position, size } = positionIn(0);
    expect(position.following()).toBe(true);
    size.set(1_000);
    expect(position.visible()).toEqual({ first: 990, last: 999 });
    size.set(1_007);
    expect(position.visible()).toEqual({ first: 997, last: 1_006 });
    expect(position.atEnd()).toBe(true);
  });

  it('shows everything where the table fits, and goes along when it no longer does', () => {
    const { position, size } = positionIn(4);
    expect(position.visible()).toEqual({ first: 0, last: 3 });
    size.set(12);
    expect(position.visible()).toEqual({ first: 2, last: 11 });
  });

  it.each<[string, (position: GridPosition) => void, number]>([
    [
      'a step up',
      (position) => {
        position.moveBy(-1);
      },
      989,
    ],
    [
      'the page before',
      (position) => {
        position.previous();
      },
      980,
    ],
    [
      'the first page',
      (position) => {
        position.first();
      },
      0,
    ],
    [
      'scrolling up',
      (position) => {
        position.moveTo(700.5);
      },
      700.5,
    ],
    [
      'standing where it is',
      (position) => {
        position.stand();
      },
      990,
    ],
  ])('stands still after %s, whatever arrives', (_, move, row) => {
    const { position, size } = positionIn(1_000);
    move(position);
    size.set(2_000);
    expect(position.following()).toBe(false);
    expect(position.top()).toBe(row);
  });

  it.each<[string, (position: GridPosition) => void]>([
    [
      'the last page',
      (position) => {
        position.last();
      },
    ],
    [
      'the next page, where that is the last one',
      (position) => {
        position.next();
      },
    ],
    [
      'stepping down to the end',
      (position) => {
        position.moveBy(8);
      },
    ],
    [
      'scrolling to the end',
      (position) => {
        position.moveTo(990);
      },
    ],
    [
      'being told to',
      (position) => {
        position.follow();
      },
    ],
  ])('follows again after %s', (_, move) => {
    const { position, size } = positionAt(985, 1_000);
    move(position);
    size.set(2_000);
    expect(position.following()).toBe(true);
    expect(position.visible().last).toBe(1_999);
  });

  it('still stands after a step down that does not reach the end', () => {
    const { position } = positionAt(500, 1_000);
    position.next();
    position.moveBy(1);
    expect(position.following()).toBe(false);
    expect(position.top()).toBe(511);
  });

  it('stays at the first row of a table that fitted when somebody went there', () => {
    const { position, size } = positionIn(4);
    position.first();
    size.set(1_000);
    expect(position.top()).toBe(0);
  });

  it('still follows when the table was gone for a moment', () => {
    const { position, size } = positionIn(1_000);
    size.set(0);
    size.set(300);
    expect(position.visible()).toEqual({ first: 290, last: 299 });
  });

  it('asks seldom: a hundred rows and more arrive in a window before it moves', () => {
    const { position, size } = positionIn(1_000);
    const windows = new Set<unknown>();
    for (let rows = 1_000; rows < 2_280; rows += 1) {
      size.set(rows);
      windows.add(position.window());
      expect(position.window().first).toBeLessThanOrEqual(position.visible().first);
      expect(position.window().last - position.visible().last).toBeGreaterThan(100);
    }
    expect(windows.size).toBeLessThanOrEqual(11);
  });

  it('reveals a row by moving no further than needed, and stays there', () => {
    const { position, size } = positionIn(1_000);
    position.reveal(995);
    expect([position.top(), position.following()]).toEqual([990, false]);
    position.reveal(500);
    expect(position.visible()).toEqual({ first: 500, last: 509 });
    position.reveal(512);
    expect(position.visible()).toEqual({ first: 503, last: 512 });
    position.reveal(505);
    size.set(2_000);
    expect(position.visible()).toEqual({ first: 503, last: 512 });
  });
});
