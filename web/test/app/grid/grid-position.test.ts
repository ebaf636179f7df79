import { signal } from '@angular/core';
import { describe, expect, it } from 'vitest';
import { GridPosition, ROW_HEIGHT } from '../../../src/app/grid/grid-position';

function positionIn(rows: number, visibleRows = 10) {
  const size = signal(rows);
  const position = new GridPosition(size);
  position.bodyHeight.set(visibleRows * ROW_HEIGHT);
  return { size, position };
}

describe('GridPosition', () => {
  it('moves by pages and stops at both ends', () => {
    const { position } = positionIn(25);
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
    const { position, size } = positionIn(1_000);
    position.moveTo(500);
    size.set(0);
    expect(position.top()).toBe(0);
    size.set(1_000);
    expect(position.top()).toBe(500);
  });

  it('asks for whole blocks around what is visible, so that small steps ask for nothing new', () => {
    const { position } = positionIn(1_000_000);
    position.moveTo(500_000);
    const window = position.window();
    expect(window.first % 32).toBe(0);
    expect(window.first).toBeLessThanOrEqual(500_000 - 16);
    expect(window.last).toBeGreaterThanOrEqual(500_010 + 16);
    position.moveBy(1);
    expect(position.window()).toBe(window);
  });

  it('asks beyond the end of the table, so that a row that is added arrives by itself', () => {
    const { position } = positionIn(3);
    expect(position.window()).toEqual({ first: 0, last: 31 });
  });
});
