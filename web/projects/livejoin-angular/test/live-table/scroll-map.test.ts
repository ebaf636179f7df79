import { describe, expect, it } from 'vitest';
import {
  contentHeight,
  isCompressed,
  lastTopRow,
  scrollTopFor,
  topRowAt,
} from '../../src/live-table/scroll-map';

const few = { rows: 1_000, rowHeight: 28, bodyHeight: 280 };
const many = { rows: 10_000_000, rowHeight: 28, bodyHeight: 280 };

describe('the map between scroll bar and rows', () => {
  it('is pixel by pixel while the rows fit into what a browser can scroll', () => {
    expect(isCompressed(few)).toBe(false);
    expect(topRowAt(28 * 7, few)).toBeCloseTo(7);
    expect(scrollTopFor(7, few)).toBeCloseTo(28 * 7);
  });

  it('caps the height and still reaches both ends of ten million rows', () => {
    expect(isCompressed(many)).toBe(true);
    expect(contentHeight(many)).toBe(10_000_000);
    expect(topRowAt(0, many)).toBe(0);
    expect(topRowAt(10_000_000 - 280, many)).toBe(lastTopRow(many));
    expect(lastTopRow(many)).toBe(9_999_990);
  });

  it('leads back to the same row', () => {
    expect(topRowAt(scrollTopFor(1_234_567, many), many)).toBeCloseTo(1_234_567);
  });

  it('stays at the top where all rows are visible', () => {
    const one = { rows: 1, rowHeight: 28, bodyHeight: 280 };
    expect(topRowAt(50, one)).toBe(0);
    expect(scrollTopFor(0, one)).toBe(0);
  });
});
