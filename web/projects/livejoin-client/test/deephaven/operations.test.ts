import type { dh } from '@deephaven/jsapi-types';
import { describe, expect, it } from 'vitest';
import { applyOperations } from '../../src/deephaven/operations';
import { instantFrom } from '../../src/instant';
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

  it('say points in time to the nanosecond', () => {
    const since = instantFrom('2026-11-15T20:36:30.123456789Z');
    expect(filtered({ column: 'age', is: 'greaterOrEqual', to: since })).toEqual([
      "age greaterThanOrEqualTo yyyy-MM-dd'T'HH:mm:ss.SSSSSSSSS 2026-11-15T20:36:30.123456789 UTC",
    ]);
  });

  it('take texts as they are, whatever is in them', () => {
    expect(
      filtered(
        { column: 'userId', is: 'startingWith', to: 'a.b' },
        { column: 'userId', is: 'endingWith', to: '\\E.*' },
        { column: 'userId', is: 'notContaining', to: 'x' },
      ),
    ).toEqual([
      'userId matchesIgnoreCase "(?s)\\Qa.b\\E.*"',
      'userId matchesIgnoreCase "(?s).*\\Q\\E\\\\E\\Q.*\\E"',
      'userId isNull or not userId containsIgnoreCase "x"',
    ]);
  });

  it('hold an empty text for blank where there are texts', () => {
    expect(
      filtered(
        { column: 'userId', is: 'blank' },
        { column: 'userId', is: 'notBlank' },
        { column: 'age', is: 'blank' },
        { column: 'age', is: 'notBlank' },
      ),
    ).toEqual([
      'userId isNull or userId eq ""',
      'not userId isNull or userId eq ""',
      'age isNull',
      'not age isNull',
    ]);
  });

  it('can be joined', () => {
    const young = { is: 'less', to: 18 } as const;
    const old = { is: 'greater', to: 65 } as const;
    expect(
      filtered(
        { column: 'age', is: 'anyOf', of: [young, old] },
        { column: 'age', is: 'allOf', of: [young, old] },
        { column: 'age', is: 'anyOf', of: [young] },
      ),
    ).toEqual([
      'age lessThan 18 or age greaterThan 65',
      'age lessThan 18 and age greaterThan 65',
      'age lessThan 18',
    ]);
    expect(() => filtered({ column: 'age', is: 'anyOf', of: [] })).toThrow('names no condition');
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
