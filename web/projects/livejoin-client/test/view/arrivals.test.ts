import { expect, it } from 'vitest';
import type { Page } from '../../src/table-server';
import { Arrivals } from '../../src/view/arrivals';

function page(size: number): Page {
  return { offset: 0, rows: [], size, generation: 1 };
}

it('keeps the newest page until it is shown', () => {
  const arrivals = new Arrivals();
  expect(arrivals.generation).toBeUndefined();
  arrivals.take(page(1), false);
  arrivals.take(page(2), false);
  expect(arrivals.generation).toBe(1);
  expect([arrivals.release()?.size, arrivals.release()]).toEqual([2, null]);
});

it('passes a page over that would leave a hole, but never two in a row', () => {
  const arrivals = new Arrivals();
  expect([9, 8, 7].map((size) => arrivals.take(page(size), true))).toEqual([false, true, false]);
});
