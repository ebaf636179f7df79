import { describe, expect, it } from 'vitest';
import { durationText } from '../../src/app/duration';

describe('durations', () => {
  it('read in one unit, which stays beside its number', () => {
    expect([0, 999, 1_000, 59_999, 60_000, 3_599_999, 7_200_000, 10 * 86_400_000].map(durationText)).toEqual([
      '<\u00a01\u00a0s',
      '<\u00a01\u00a0s',
      '1\u00a0s',
      '59\u00a0s',
      '1\u00a0min',
      '59\u00a0min',
      '2\u00a0h',
      '10\u00a0d',
    ]);
  });
});
