import { AS_IT_IS, ENGLISH, type CellFormat, type ViewChoice } from 'livejoin-angular';
import { describe, expect, it } from 'vitest';
import { viewChips } from '../../src/table-view/view-chip';

const COLUMNS = [
  { name: 'name', kind: 'text' },
  { name: 'balance', kind: 'double' },
  { name: 'paid', kind: 'boolean' },
  { name: 'placed', kind: 'instant' },
] as const;

function chips(choice: Partial<ViewChoice>, format: CellFormat = { locale: 'en', zone: 'UTC' }) {
  return viewChips({ ...AS_IT_IS, ...choice }, COLUMNS, ENGLISH, format, String);
}

describe('the chips of a view', () => {
  it('are none where everything is as it comes', () => {
    expect(chips({ search: '  ' })).toEqual([]);
  });

  it('say all that is chosen, one for each column that is filtered', () => {
    const choice: Partial<ViewChoice> = {
      search: 'ada',
      filter: [
        { column: 'balance', is: 'greaterOrEqual', to: '10' },
        { column: 'name', is: 'startingWith', to: 'A' },
        { column: 'balance', is: 'lessOrEqual', to: '20' },
        { column: 'paid', is: 'equal', to: 'false' },
        { column: 'placed', is: 'greaterOrEqual', to: '2024-12-31T00:00:00Z' },
      ],
      sort: [{ column: 'name', direction: 'descending' }],
      columns: [{ name: 'name', width: null }],
    };
    expect(chips(choice).map(({ text }) => text)).toEqual([
      'Search: “ada”',
      'balance ≥ 10, ≤ 20',
      'name starts with “A”',
      'paid is false',
      'placed ≥ 2024-12-31 00:00:00 UTC',
      'name ↓',
      '3 columns hidden',
    ]);
  });

  it('write numbers as the tables do, wherever that is', () => {
    const choice = { filter: [{ column: 'balance', is: 'greaterOrEqual', to: '-1234567.5' }] } as const;
    expect(chips(choice)[0]?.text).toBe('balance ≥ -1,234,567.5');
    expect(chips(choice, { locale: 'de', zone: 'UTC' })[0]?.text).toBe('balance ≥ -1.234.567,5');
  });

  it('show what a link hides in a text, and do not obey it', () => {
    const filter = [{ column: 'name', is: 'equal', to: 'a\u202eb' }] as const;
    const texts = chips({ search: 'x\u0000\u200by', filter }).map(({ text }) => text);
    expect(texts).toEqual(['Search: “x␀⟨U+200B⟩y”', 'name equals “a⟨U+202E⟩b”']);
  });

  it('know what is left without each of them', () => {
    const search = 'ada';
    const filter = [
      { column: 'balance', is: 'null' },
      { column: 'name', is: 'blank' },
    ] as const;
    const sort = [{ column: 'name', direction: 'ascending' }] as const;
    const columns = [{ name: 'balance', width: 90 }];
    expect(chips({ search, filter, sort, columns }).map(({ without }) => without)).toEqual([
      { search: '' },
      { filter: [filter[1]] },
      { filter: [filter[0]] },
      { sort: [] },
      {
        columns: [
          { name: 'balance', width: 90 },
          { name: 'name', width: null },
          { name: 'paid', width: null },
          { name: 'placed', width: null },
        ],
      },
    ]);
  });
});
