import { describe, expect, it } from 'vitest';
import { byReason } from '../../../src/app/control/letters-by-reason';

describe('reasons of dead letters', () => {
  it('are counted, the most frequent first, and of the same count the newest', () => {
    const letters = ['b', 'a', 'c', 'a'].map((reason) => ({ reason }));
    expect(byReason(letters)).toEqual([
      { reason: 'a', count: 2 },
      { reason: 'b', count: 1 },
      { reason: 'c', count: 1 },
    ]);
  });
});
