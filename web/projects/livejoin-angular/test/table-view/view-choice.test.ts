import type { SortBy } from 'livejoin-angular';
import { describe, expect, it } from 'vitest';
import type { TypedFilter } from '../../src/table-view/typed-filter';
import {
  AS_IT_IS,
  choiceIn,
  filteredBy,
  fittingChoice,
  sortedAs,
  sortedBy,
  writeChoice,
} from '../../src/table-view/view-choice';

const UP: SortBy = { column: 'balance', direction: 'ascending' };
const DOWN: SortBy = { column: 'balance', direction: 'descending' };
const OTHER: SortBy = { column: 'name', direction: 'ascending' };

describe('a sort', () => {
  it('goes round by clicks: ascending, descending, none', () => {
    expect(sortedBy([], 'balance', false)).toEqual([UP]);
    expect(sortedBy([UP], 'balance', false)).toEqual([DOWN]);
    expect(sortedBy([DOWN], 'balance', false)).toEqual([]);
  });

  it('takes the place of others, or is added to them and keeps its rank', () => {
    expect(sortedBy([OTHER], 'balance', false)).toEqual([UP]);
    expect(sortedBy([OTHER], 'balance', true)).toEqual([OTHER, UP]);
    expect(sortedBy([UP, OTHER], 'balance', true)).toEqual([DOWN, OTHER]);
    expect(sortedBy([DOWN, OTHER], 'balance', true)).toEqual([OTHER]);
  });
});

describe('a sort that is chosen by name', () => {
  it('keeps its rank, comes last, or goes, and leaves the others', () => {
    expect(sortedAs([UP, OTHER], 'balance', 'descending')).toEqual([DOWN, OTHER]);
    expect(sortedAs([OTHER], 'balance', 'ascending')).toEqual([OTHER, UP]);
    expect(sortedAs([UP, OTHER], 'balance', null)).toEqual([OTHER]);
  });
});

describe('a filter', () => {
  it('on a column takes the place of what was asked of it, and leaves the others', () => {
    const least: TypedFilter = { column: 'balance', is: 'greaterOrEqual', to: '1' };
    const most: TypedFilter = { column: 'balance', is: 'lessOrEqual', to: '9' };
    const named: TypedFilter = { column: 'name', is: 'startingWith', to: 'a' };
    const none: TypedFilter = { column: 'balance', is: 'null' };
    expect(filteredBy([least, named, most], 'balance', [none])).toEqual([named, none]);
    expect(filteredBy([least, named, most], 'balance', [])).toEqual([named]);
  });
});

describe('an address', () => {
  it('says the same after writing and reading', () => {
    const filter: TypedFilter[] = [
      { column: 'name', is: 'containing', to: 'a:b & c' },
      { column: 'balance', is: 'greaterOrEqual', to: '-1.50' },
      { column: 'age', is: 'notNull' },
      { column: 'name', is: 'endingWith', to: 'z' },
      { column: 'name', is: 'notBlank' },
      { column: 'age', is: 'notEqual', to: '9007199254740993' },
    ];
    const address = new URLSearchParams('other=1');
    const choice = {
      sort: [DOWN, OTHER],
      filter,
      search: 'a&b=c, d',
      columns: [
        { name: 'balance', width: 120, isPinned: true },
        { name: 'age', width: null, isPinned: true },
        { name: 'name', width: null },
      ],
    };
    writeChoice(address, 'final_ui', choice);
    const again = new URLSearchParams(address.toString());
    expect(choiceIn(again, 'final_ui')).toEqual(choice);
    expect(choiceIn(again, 'users_ui')).toEqual(AS_IT_IS);
    expect(again.get('other')).toBe('1');
  });

  it('that makes no sense asks for nothing', () => {
    const address = new URLSearchParams(
      't.sort=x:sideways&t.sort=&t.filter=a:like:b&t.filter=a:lessOrEqual:&t.columns=,:9',
    );
    expect(choiceIn(address, 't')).toEqual(AS_IT_IS);
  });

  it('is what it was before, once everything is as it is', () => {
    const address = new URLSearchParams('other=1&t.search=x&t.columns=a:9,b&t.sort=a:ascending');
    writeChoice(address, 't', AS_IT_IS);
    expect(address.toString()).toBe('other=1');
  });

  it('gives a column no width that is none', () => {
    expect(choiceIn(new URLSearchParams('t.columns=a:wide,b:120'), 't').columns).toEqual([
      { name: 'a', width: null },
      { name: 'b', width: 120 },
    ]);
  });
});

describe('columns of any name', () => {
  const names = [
    '__proto__',
    'constructor',
    'a:b',
    'a,b:c',
    '100%',
    '%3A',
    'a b.c',
    '"größe"',
    '0',
    ':',
    ',',
  ];

  it('are in an address and out of it', () => {
    const choice = {
      sort: names.map((column) => ({ column, direction: 'ascending' }) as const),
      filter: names.flatMap((column): TypedFilter[] => [
        { column, is: 'greaterOrEqual', to: '1:2,3%' },
        { column, is: 'notNull' },
      ]),
      search: '%3A',
      columns: names.map((name, width) => ({ name, width: width % 2 === 0 ? null : 100 + width })),
    };
    const address = new URLSearchParams();
    writeChoice(address, 'final_ui', choice);
    expect(choiceIn(new URLSearchParams(address.toString()), 'final_ui')).toEqual(choice);
  });

  it('are written as they are where nothing in them has a meaning', () => {
    const address = new URLSearchParams();
    const sort = [{ column: 'userId', direction: 'ascending' }] as const;
    writeChoice(address, 't', { ...AS_IT_IS, sort });
    expect(address.get('t.sort')).toBe('userId:ascending');
  });
});

describe('what fits a table', () => {
  const columns = [
    { name: 'total', kind: 'decimal' },
    { name: 'toString', kind: 'text' },
  ] as const;

  it('is all of a choice that was made for it', () => {
    const choice = {
      sort: [{ column: 'total', direction: 'ascending' } as const],
      filter: [{ column: 'toString', is: 'containing', to: 'a' } as const],
      search: 'b',
      columns: [{ name: 'total', width: null }],
    };
    expect(fittingChoice(choice, columns)).toBe(choice);
    expect(fittingChoice(AS_IT_IS, columns)).toBe(AS_IT_IS);
  });

  it('is less of one that was made for other columns', () => {
    const kept: TypedFilter = { column: 'total', is: 'lessOrEqual', to: '12.30' };
    const filter: TypedFilter[] = [
      kept,
      { column: 'total', is: 'containing', to: '1' },
      { column: 'total', is: 'greaterOrEqual', to: '2024-12-31' },
      { column: 'constructor', is: 'notNull' },
    ];
    const sort: SortBy[] = [UP, { column: 'total', direction: 'descending' }];
    const choice = { sort, filter, search: 'b', columns: [{ name: 'balance', width: 120 }] };
    expect(fittingChoice(choice, columns)).toEqual({
      sort: [{ column: 'total', direction: 'descending' }],
      filter: [kept],
      search: 'b',
      columns: null,
    });
  });
});
