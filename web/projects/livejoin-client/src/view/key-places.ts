import type { Column } from '../table-server';

/** Where in a row its key is. Tables of livejoin's own name no key; their rows are told apart by the first column. */
export function keyPlaces(columns: readonly Pick<Column, 'key'>[]): readonly number[] {
  const places = columns.flatMap(({ key }, place) => (key === true ? [place] : []));
  return places.length === 0 ? [0] : places;
}
