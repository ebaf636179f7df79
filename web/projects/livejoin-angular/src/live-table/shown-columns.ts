import type { Column } from 'livejoin-client';

export interface ColumnPlace {
  readonly name: string;
  /** In pixels; null for a share of the room that there is. */
  readonly width: number | null;
}

/** Which columns are shown, from left to right; null shows all of them as the table has them. */
export type ColumnChoice = readonly ColumnPlace[] | null;

export interface ShownColumn extends Column, ColumnPlace {
  /** Where its cells are in a row of the table. */
  readonly position: number;
}

/** Narrower than this, a column can no longer be read nor be taken by its edge. */
const MIN_WIDTH = 48;
const MAX_WIDTH = 2_000;

/** What a choice means for a table. One that names nothing the table has means all of it. */
export function shownColumns(columns: readonly Column[], choice: ColumnChoice): readonly ShownColumn[] {
  const all = columns.map((column, position) => ({ ...column, position, width: null }));
  const chosen = (choice ?? []).flatMap(({ name, width }) => {
    const found = all.find((column) => column.name === name);
    return found === undefined ? [] : [{ ...found, width }];
  });
  return chosen.length === 0 ? all : chosen;
}

/** Null gives the width back to the layout. */
export function resized(shown: readonly ColumnPlace[], name: string, width: number | null): ColumnChoice {
  const next = width === null ? null : Math.round(Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, width)));
  return shown.map((place) => placeOf(place, place.name === name ? next : place.width));
}

/** With that column at another index, counted without it. */
export function movedTo(shown: readonly ColumnPlace[], name: string, index: number): ColumnChoice {
  const moved = shown.find((place) => place.name === name);
  const others = shown.filter((place) => place.name !== name);
  if (moved === undefined) return shown;
  const at = Math.min(others.length, Math.max(0, index));
  return [...others.slice(0, at), moved, ...others.slice(at)].map((place) => placeOf(place, place.width));
}

/** Without that column, or with it again, at that index. The last one stays: no columns would show nothing. */
export function toggled(
  shown: readonly ColumnPlace[],
  name: string,
  index: number = shown.length,
): ColumnChoice {
  const places = shown.map((place) => placeOf(place, place.width));
  if (!places.some((place) => place.name === name)) {
    return [...places.slice(0, index), { name, width: null }, ...places.slice(index)];
  }
  return places.length === 1 ? places : places.filter((place) => place.name !== name);
}

/** Columns as the table has them are no choice. */
export function simplified(columns: readonly Column[], choice: ColumnChoice): ColumnChoice {
  const isAsItIs =
    choice?.length === columns.length &&
    choice.every(({ name, width }, position) => width === null && name === columns[position]?.name);
  return isAsItIs ? null : choice;
}

function placeOf({ name }: ColumnPlace, width: number | null): ColumnPlace {
  return { name, width };
}
