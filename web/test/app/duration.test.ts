import { describe, expect, it } from 'vitest';
import { durationText } from '../../src/app/duration';

describe('durations', () => {
  it('read in one unit', () => {
    expect([0, 999, 1_000, 59_999, 60_000, 3_599_999, 7_200_000, 10 * 86_400_000].map(durationText)).toEqual([
      '< 1 s',
      '< 1 s',
      '1 s',
      '59 s',
      '1 min',
      '59 min',
      '2 h',
      '10 d',
    ]);
  });
});
