import type { dh } from '@deephaven/jsapi-types';
import { describe, expect, it } from 'vitest';
import { applySortAndFilter } from '../../src/deephaven/operations';
import type { FilterBy } from '../../src/view-description';
import { FakeDeephaven, FakeDhTable } from './fake-deephaven';

describe('sorts and filters', () => {
  function filtered(...filter: FilterBy[]): unknown {
    const table = new FakeDhTable();
    applySortAndFilter(new FakeDeephaven().api, table as unknown as dh.Table, [], filter);
    return (table.filters[0] as { text: string }[]).map(({ text }) => text);
  }

  it('are said in the words of the API', () => {
    expect(
      filtered(
        { column: 'userId', is: 'equal', to: 'u1' },
        { column: 'age', is: 'notEqual', to: 1 },
        { column: 'age', is: 'less', to: 2 },
        { column: 'age', is: 'lessOrEqual', to: 3 },
        { column: 'age', is: 'greater', to: 4 },
        { column: 'age', is: 'greaterOrEqual', to: 9007199254740993n },
        { column: 'userId', is: 'oneOf', to: ['a', 'b'] },
        { column: 'userId', is: 'containing', to: 'x' },
        { column: 'age', is: 'equal', to: true },
        { column: 'age', is: 'null' },
        { column: 'age', is: 'notNull' },
      ),
    ).toEqual([
      'userId eq "u1"',
      'age notEq 1',
      'age lessThan 2',
      'age lessThanOrEqualTo 3',
      'age greaterThan 4',
      'age greaterThanOrEqualTo long 9007199254740993',
      'userId in "a" "b"',
      'userId containsIgnoreCase "x"',
      'age eq true',
      'age isNull',
      'not age isNull',
    ]);
  });

  it('are not sent where there are none', () => {
    const table = new FakeDhTable();
    applySortAndFilter(new FakeDeephaven().api, table as unknown as dh.Table, [], []);
    expect([table.sorts, table.filters]).toEqual([[], []]);
  });

  it('count in the order in which they are given', () => {
    const table = new FakeDhTable();
    const sort = [
      { column: 'age', direction: 'descending' },
      { column: 'userId', direction: 'ascending' },
    ] as const;
    applySortAndFilter(new FakeDeephaven().api, table as unknown as dh.Table, sort, []);
    expect(table.sorts).toEqual([['age down', 'userId up']]);
  });
});
