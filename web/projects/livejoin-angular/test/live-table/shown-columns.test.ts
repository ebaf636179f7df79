import { describe, expect, it } from 'vitest';
import {
  movedTo,
  pinned,
  resized,
  shownColumns,
  simplified,
  toggled,
  unpinned,
} from '../../src/live-table/shown-columns';

const COLUMNS = [
  { name: 'userId', kind: 'text' },
  { name: 'age', kind: 'integer' },
  { name: 'balance', kind: 'double' },
] as const;

const namesOf = (places: readonly { name: string }[] | null) => places?.map(({ name }) => name);

describe('the columns that are shown', () => {
  it('are all of them where nobody has chosen', () => {
    expect(shownColumns(COLUMNS, null).map(({ name, position }) => [name, position])).toEqual([
      ['userId', 0],
      ['age', 1],
      ['balance', 2],
    ]);
  });

  it('are those of the choice that the table has, and know where their cells are', () => {
    const choice = ['balance', 'height', 'userId'].map((name) => ({ name, width: 80 }));
    const shown = shownColumns(COLUMNS, choice);
    expect(shown.map(({ name, position, width }) => [name, position, width])).toEqual([
      ['balance', 2, 80],
      ['userId', 0, 80],
    ]);
  });

  it('are all of them where the choice names nothing that the table has', () => {
    expect(shownColumns(COLUMNS, [{ name: 'height', width: null }])).toHaveLength(3);
  });
});

describe('a choice of columns', () => {
  const shown = shownColumns(COLUMNS, null);

  it('keeps a width within what can be read, and the others as they are', () => {
    expect(resized(shown, new Map([['age', 120.4]]))?.[1]).toEqual({ name: 'age', width: 120 });
    expect(resized(shown, new Map([['age', 3]]))?.[1]?.width).toBe(48);
    expect(resized(shown, new Map([['age', 99]]))?.[0]?.width).toBeNull();
  });

  it('moves a column among the others, and no further than to an end', () => {
    expect(namesOf(movedTo(shown, 'userId', 1))).toEqual(['age', 'userId', 'balance']);
    expect(namesOf(movedTo(shown, 'balance', -1))).toEqual(['balance', 'userId', 'age']);
    expect(namesOf(movedTo(shown, 'userId', 9))).toEqual(['age', 'balance', 'userId']);
  });

  it('is none once everything is where the table has it', () => {
    const moved = movedTo(shown, 'userId', 1);
    expect(simplified(COLUMNS, moved)).toBe(moved);
    expect(simplified(COLUMNS, movedTo(shownColumns(COLUMNS, moved), 'userId', 0))).toBeNull();
    expect(simplified(COLUMNS, toggled(shown, 'balance'))).toHaveLength(2);
    expect(simplified(COLUMNS, resized(shown, new Map([['age', 99]])))).toHaveLength(3);
    expect(simplified(COLUMNS, null)).toBeNull();
  });

  it('keeps pinned columns at the left, whatever is moved or shown', () => {
    const once = pinned(shown, 'balance', 90) ?? [];
    expect(once[0]).toEqual({ name: 'balance', width: 90, isPinned: true });
    const twice = pinned(once, 'age', 60.2) ?? [];
    expect(namesOf(twice)).toEqual(['balance', 'age', 'userId']);
    expect(namesOf(movedTo(twice, 'userId', 0))).toEqual(['balance', 'age', 'userId']);
    expect(namesOf(movedTo(twice, 'age', 0))).toEqual(['age', 'balance', 'userId']);
    expect(namesOf(unpinned(twice, 'balance'))).toEqual(['age', 'balance', 'userId']);
    expect(simplified(COLUMNS, pinned(shown, 'userId', 90))).toHaveLength(3);
    // A link may pin a column without saying how wide it is.
    expect(shownColumns(COLUMNS, [{ name: 'age', width: null, isPinned: true }])[0]?.width).toBe(120);
  });

  it('hides a column and shows it again, but never hides the last one', () => {
    const without = toggled(shown, 'age');
    expect(namesOf(without)).toEqual(['userId', 'balance']);
    expect(namesOf(toggled(without ?? [], 'age'))).toEqual(['userId', 'balance', 'age']);
    expect(namesOf(toggled(without ?? [], 'age', 1))).toEqual(['userId', 'age', 'balance']);
    const one = [{ name: 'age', width: null }];
    expect(toggled(one, 'age')).toEqual(one);
  });
});
