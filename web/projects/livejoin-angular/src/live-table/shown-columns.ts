import type { Column } from 'livejoin-client';

export interface ColumnPlace {
  readonly name: string;
  /** In pixels; null for a share of the room that there is. */
  readonly width: number | null;
  /** Stays at the left while the others are scrolled sideways. */
  readonly isPinned?: boolean;
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

/** Of a pinned column for which nobody has said one: those beside it have to know where it ends. */
const PINNED_WIDTH = 120;

/** What a choice means for a table. One that names nothing the table has means all of it. */
export function shownColumns(columns: readonly Column[], choice: ColumnChoice): readonly ShownColumn[] {
  const all = columns.map((column, position) => ({ ...column, position, width: null }));
  const chosen = pinnedFirst(choice ?? []).flatMap(({ name, width, isPinned }) => {
    const found = all.find((column) => column.name === name);
    if (found === undefined) return [];
    return [isPinned === true ? { ...found, width: width ?? PINNED_WIDTH, isPinned } : { ...found, width }];
  });
  return chosen.length === 0 ? all : chosen;
}

/** A width that can be read and taken hold of. */
export function readableWidth(width: number): number {
  return Math.round(Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, width)));
}

/** With these widths for some of the columns. */
export function resized(shown: readonly ColumnPlace[], widths: ReadonlyMap<string, number>): ColumnChoice {
  return shown.map((place) => {
    const width = widths.get(place.name);
    return width === undefined ? placeOf(place) : { ...placeOf(place), width: readableWidth(width) };
  });
}

/** Stays at the left as wide as it is, behind those that do so already. */
export function pinned(shown: readonly ColumnPlace[], name: string, width: number): ColumnChoice {
  const others = shown.filter((place) => place.name !== name).map(placeOf);
  const at = others.filter(({ isPinned }) => isPinned).length;
  return [...others.slice(0, at), { name, width: readableWidth(width), isPinned: true }, ...others.slice(at)];
}

/** Is scrolled with the others again. */
export function unpinned(shown: readonly ColumnPlace[], name: string): ColumnChoice {
  return pinnedFirst(
    shown.map((place) => (place.name === name ? { name, width: place.width } : placeOf(place))),
  );
}

/** With that column at another index, counted without it. */
export function movedTo(shown: readonly ColumnPlace[], name: string, index: number): ColumnChoice {
  const moved = shown.find((place) => place.name === name);
  const others = shown.filter((place) => place.name !== name);
  if (moved === undefined) return shown;
  const at = Math.min(others.length, Math.max(0, index));
  return pinnedFirst([...others.slice(0, at), moved, ...others.slice(at)]).map(placeOf);
}

/** Without that column, or with it again, at that index. The last one stays: no columns would show nothing. */
export function toggled(
  shown: readonly ColumnPlace[],
  name: string,
  index: number = shown.length,
): ColumnChoice {
  const places = shown.map(placeOf);
  if (!places.some((place) => place.name === name)) {
    return pinnedFirst([...places.slice(0, index), { name, width: null }, ...places.slice(index)]);
  }
  return places.length === 1 ? places : places.filter((place) => place.name !== name);
}

/** Columns as the table has them are no choice. */
export function simplified(columns: readonly Column[], choice: ColumnChoice): ColumnChoice {
  const isAsItIs =
    choice?.length === columns.length &&
    choice.every(
      ({ name, width, isPinned }, position) =>
        width === null && isPinned !== true && name === columns[position]?.name,
    );
  return isAsItIs ? null : choice;
}

function placeOf({ name, width, isPinned }: ColumnPlace): ColumnPlace {
  return isPinned === true ? { name, width, isPinned } : { name, width };
}

function pinnedFirst(places: readonly ColumnPlace[]): readonly ColumnPlace[] {
  return [
    ...places.filter(({ isPinned }) => isPinned),
    ...places.filter(({ isPinned }) => isPinned !== true),
  ];
}
