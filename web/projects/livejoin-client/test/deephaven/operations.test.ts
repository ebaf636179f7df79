import type { dh } from '@deephaven/jsapi-types';
import { describe, expect, it } from 'vitest';
import { applyOperations } from '../../src/deephaven/operations';
import { viewOf, type FilterBy, type ViewDescription } from '../../src/view-description';
import { FakeDeephaven, FakeDhColumn, FakeDhTable } from './fake-deephaven';

describe('sorts and filters', () => {
  function applied(asked: Omit<ViewDescription, 'table'>, table = new FakeDhTable()): FakeDhTable {
    const view = viewOf({ table: 'final_ui', ...asked });
    applyOperations(new FakeDeephaven().api, table as unknown as dh.Table, view);
    return table;
  }

  function conditions(table: FakeDhTable): string[] {
    return (table.filters[0] as { text: string }[]).map(({ text }) => text);
  }

  function filtered(...filter: FilterBy[]): string[] {
    return conditions(applied({ filter }));
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
    const table = applied({ sort: [], filter: [], search: '  ' });
    expect([table.sorts, table.filters]).toEqual([[], []]);
  });

  it('count in the order in which they are given', () => {
    const sort = [
      { column: 'age', direction: 'descending' },
      { column: 'userId', direction: 'ascending' },
    ] as const;
    expect(applied({ sort }).sorts).toEqual([['age down', 'userId up']]);
  });

  it('search every text column and no other, beside the filter', () => {
    const table = new FakeDhTable();
    table.columns.push(new FakeDhColumn('name', 'java.lang.String'));
    applied({ search: ' Ada ', filter: [{ column: 'age', is: 'null' }] }, table);
    expect(conditions(table)).toEqual([
      'age isNull',
      'userId containsIgnoreCase "Ada" or name containsIgnoreCase "Ada"',
    ]);
  });

  it('search one text column alone', () => {
    expect(conditions(applied({ search: 'x' }))).toEqual(['userId containsIgnoreCase "x"']);
  });

  it('say so where there is no text to search', () => {
    const table = new FakeDhTable();
    table.columns.shift();
    expect(() => applied({ search: 'x' }, table)).toThrow('no text');
  });
});
