import { expect, it } from 'vitest';
import { keyPlaces } from '../../src/view/key-places';

it('a row is told apart by its keys, however many, and by its first column where a table names none', () => {
  expect(keyPlaces([{}, { key: true }, { key: false }, { key: true }])).toEqual([1, 3]);
  expect(keyPlaces([{}, {}])).toEqual([0]);
  expect(keyPlaces([])).toEqual([0]);
});
