import { instantFrom } from 'livejoin-client';
import { describe, expect, it } from 'vitest';
import { directionOf } from '../../src/live-table/direction';

describe('the direction of a change', () => {
  it('is that of the numbers, also beyond what a number holds exactly', () => {
    expect(directionOf(1, 2, false)).toBe('rise');
    expect(directionOf(2n ** 60n + 1n, 2n ** 60n, false)).toBe('fall');
    expect(directionOf(5, 2n ** 60n, false)).toBe('rise');
  });

  it('is that of decimals by all of their digits', () => {
    expect(directionOf('9.9', '10.0', true)).toBe('rise');
    expect(directionOf('-0.1', '-0.11', true)).toBe('fall');
    expect(directionOf('12345678901234567890.1', '12345678901234567890.2', true)).toBe('rise');
    expect(directionOf('1.50', '1.5', true)).toBeNull();
  });

  it('is that of points in time, by the nanosecond', () => {
    const at = '2024-05-17T08:30:00.00000000';
    expect(directionOf(instantFrom(`${at}1Z`), instantFrom(`${at}2Z`), false)).toBe('rise');
  });

  it('is none where there was nothing before, or what cannot be compared', () => {
    expect(directionOf(null, 2, false)).toBeNull();
    expect(directionOf(2, null, false)).toBeNull();
    expect(directionOf('a', 'b', false)).toBeNull();
    expect(directionOf(null, '1.5', true)).toBeNull();
    expect(directionOf(NaN, 2, false)).toBeNull();
  });
});
