import { describe, expect, it } from 'vitest';
import { described } from '../../src/door/description';
import { instantOf } from '../../src/instant';
import { viewOf, type FilterBy, type FilterOperand } from '../../src/view/view-description';

/** As it is on the wire. */
function sent(filter: readonly FilterBy[]): unknown {
  return JSON.parse(JSON.stringify(described(viewOf({ table: 'final_ui', filter })).filter));
}

describe('the description of a view', () => {
  it('leaves out what says nothing', () => {
    expect(described(viewOf({ table: 'final_ui' }))).toEqual({ table: 'final_ui' });
  });

  it('names columns, sort and search as they are', () => {
    const view = {
      table: 'final_ui',
      columns: ['age', 'userId'],
      sort: [{ column: 'age', direction: 'descending' }] as const,
      search: 'ada',
    };
    expect(described(viewOf(view))).toEqual(view);
  });

  it('asks for no column where none is wanted', () => {
    expect(described(viewOf({ table: 'final_ui', columns: [] })).columns).toEqual([]);
  });

  it('has every kind of condition', () => {
    const filter: FilterBy[] = [
      { column: 'age', is: 'greater', to: 40 },
      { column: 'name', is: 'containing', to: 'd' },
      { column: 'name', is: 'notBlank' },
      { column: 'age', is: 'oneOf', to: [1, 2.5] },
      { column: 'age', is: 'anyOf', of: [{ is: 'null' }, { is: 'allOf', of: [{ is: 'less', to: 3 }] }] },
    ];
    expect(sent(filter)).toEqual(filter);
  });

  it.each<[FilterOperand, unknown]>([
    ['u1', 'u1'],
    ['12.30', '12.30'],
    ['2024-12-31', '2024-12-31'],
    [true, true],
    [-0.25, -0.25],
    [7n, 7],
    [9007199254740993n, '9007199254740993'],
    [instantOf(1794774990123456789n), '1794774990123456789'],
    [NaN, 'NaN'],
    [-Infinity, '-Infinity'],
  ])('has the value %s as %s', (operand, value) => {
    expect(sent([{ column: 'a', is: 'equal', to: operand }])).toEqual([
      { column: 'a', is: 'equal', to: value },
    ]);
    const nested = [{ column: 'a', is: 'anyOf', of: [{ is: 'oneOf', to: [operand] }] }] as const;
    expect(sent(nested)).toEqual([{ column: 'a', is: 'anyOf', of: [{ is: 'oneOf', to: [value] }] }]);
  });

  it('says nothing that is not of the protocol', () => {
    const filter = [{ column: 'a', is: 'equal', to: 1, type: 'of a grid' } as const];
    const sort = [{ column: 'a', direction: 'ascending', index: 0 } as const];
    expect(described(viewOf({ table: 'final_ui', filter, sort }))).toEqual({
      table: 'final_ui',
      filter: [{ column: 'a', is: 'equal', to: 1 }],
      sort: [{ column: 'a', direction: 'ascending' }],
    });
  });
});
