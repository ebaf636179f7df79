import type { FilterBy, SortBy } from 'livejoin-angular';
import { describe, expect, it } from 'vitest';
import { AS_IT_IS, choiceIn, filteredBy, sortedBy, writeChoice } from '../../../src/app/grid/view-choice';

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

describe('a filter', () => {
  it('has one condition of a kind per column', () => {
    const least: FilterBy = { column: 'balance', is: 'greaterOrEqual', to: 1 };
    const more: FilterBy = { ...least, to: 2 };
    const most: FilterBy = { column: 'balance', is: 'lessOrEqual', to: 9 };
    expect(filteredBy([least, most], 'balance', 'greaterOrEqual', more)).toEqual([most, more]);
    expect(filteredBy([least, most], 'balance', 'lessOrEqual', null)).toEqual([least]);
  });
});

describe('an address', () => {
  it('says the same after writing and reading', () => {
    const filter: FilterBy[] = [
      { column: 'name', is: 'containing', to: 'a:b & c' },
      { column: 'balance', is: 'greaterOrEqual', to: -1.5 },
      { column: 'age', is: 'notNull' },
    ];
    const address = new URLSearchParams('other=1');
    const choice = {
      sort: [DOWN, OTHER],
      filter,
      search: 'a&b=c, d',
      columns: [
        { name: 'balance', width: 120 },
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
      't.sort=x:sideways&t.sort=&t.filter=a:like:b&t.filter=a:lessOrEqual:z&t.columns=,:9',
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
