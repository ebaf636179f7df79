import type { FilterModel } from 'ag-grid-community';
import { instantOf, type ColumnKind } from 'livejoin-angular';
import { describe, expect, it } from 'vitest';
import { filterOf, type FilterParams } from '../../ag-grid/src/grid-filter';

describe("AG Grid's filter model", () => {
  function conditions(model: FilterModel, inRangeInclusive = false, kind?: ColumnKind): unknown {
    return filterOf(model, () => ({ kind, params: { inRangeInclusive } }));
  }

  function day(text: string): { epochNanos: bigint } {
    return instantOf(BigInt(new Date(`${text}T00:00:00`).getTime()) * 1_000_000n);
  }

  it('asks for nothing where there is none', () => {
    expect([filterOf(null, () => ({ kind: undefined, params: {} })), conditions({})]).toEqual([[], []]);
  });

  it.each([
    ['contains', 'containing'],
    ['notContains', 'notContaining'],
    ['startsWith', 'startingWith'],
    ['endsWith', 'endingWith'],
    ['equals', 'equal'],
    ['notEqual', 'notEqual'],
  ])('of a text that %s asks for one that is %s', (type, is) => {
    expect(conditions({ name: { filterType: 'text', type, filter: 'ada' } })).toEqual([
      { column: 'name', is, to: 'ada' },
    ]);
  });

  it.each([
    ['equals', 'equal'],
    ['lessThan', 'less'],
    ['lessThanOrEqual', 'lessOrEqual'],
    ['greaterThan', 'greater'],
    ['greaterThanOrEqual', 'greaterOrEqual'],
  ])('of a number that %s asks for one that is %s', (type, is) => {
    expect(conditions({ age: { filterType: 'number', type, filter: 18 } })).toEqual([
      { column: 'age', is, to: 18 },
    ]);
  });

  it.each(['number', 'bigint', 'date'])(
    'of a %s that is another leaves out what is none, as AG Grid does',
    (filterType) => {
      const model = { any: { filterType, type: 'notEqual', filter: 7, dateFrom: '2024-03-30 00:00:00' } };
      const to = filterType === 'date' ? '2024-03-30' : 7;
      const asked = (params: FilterParams) => filterOf(model, () => ({ kind: 'date', params }));
      const [other, none] = [{ is: 'notEqual', to }, { is: 'null' }];
      expect(asked({})).toEqual([{ column: 'any', is: 'allOf', of: [other, { is: 'notNull' }] }]);
      expect(asked({ includeBlanksInNotEqual: true })).toEqual([
        { column: 'any', is: 'anyOf', of: [other, none] },
      ]);
    },
  );

  it.each([
    ['equals', 'includeBlanksInEquals'],
    ['lessThan', 'includeBlanksInLessThan'],
    ['greaterThanOrEqual', 'includeBlanksInGreaterThan'],
    ['inRange', 'includeBlanksInRange'],
  ])('of what %s has what is none where the column says %s', (type, param) => {
    const model = { age: { filterType: 'number', type, filter: 1, filterTo: 2 } };
    const [plain] = filterOf(model, () => ({ kind: 'integer', params: {} }));
    const { column, ...condition } = plain ?? { column: '' };
    expect(filterOf(model, () => ({ kind: 'integer', params: { [param]: true } }))).toEqual([
      { column, is: 'anyOf', of: [condition, { is: 'null' }] },
    ]);
  });

  it('of an integer has all of its digits', () => {
    const model = { id: { filterType: 'bigint', type: 'greaterThan', filter: '9007199254740993' } };
    expect(conditions(model, false, 'integer')).toEqual([
      { column: 'id', is: 'greater', to: 9_007_199_254_740_993n },
    ]);
  });

  it.each(['true', 'false'])('of a boolean asks for %s', (type) => {
    expect(conditions({ open: { filterType: 'text', type } })).toEqual([
      { column: 'open', is: 'equal', to: type === 'true' },
    ]);
  });

  it('of a range asks for what lies between, with the ends where the column says so', () => {
    const model = { age: { filterType: 'number', type: 'inRange', filter: 18, filterTo: 65 } };
    const range = (above: string, below: string) => [
      {
        column: 'age',
        is: 'allOf',
        of: [
          { is: above, to: 18 },
          { is: below, to: 65 },
        ],
      },
    ];
    expect(conditions(model)).toEqual(range('greater', 'less'));
    expect(conditions(model, true)).toEqual(range('greaterOrEqual', 'lessOrEqual'));
  });

  it.each(['blank', 'notBlank'])('of what is %s asks so, of every kind', (type) => {
    for (const filterType of ['text', 'number', 'date']) {
      expect(conditions({ any: { filterType, type } })).toEqual([{ column: 'any', is: type }]);
    }
  });

  it('of a day asks for the time from one midnight to the next, where the person is', () => {
    const date = (type: string, dateTo: string | null = null) => ({
      when: { filterType: 'date', type, dateFrom: '2024-03-30 00:00:00', dateTo },
    });
    const begin = { is: 'greaterOrEqual', to: day('2024-03-30') };
    const end = { is: 'less', to: day('2024-03-31') };
    expect(conditions(date('equals'))).toEqual([{ column: 'when', is: 'allOf', of: [begin, end] }]);
    expect(conditions(date('notEqual'))).toEqual([
      {
        column: 'when',
        is: 'anyOf',
        of: [
          { is: 'less', to: begin.to },
          { is: 'greaterOrEqual', to: end.to },
        ],
      },
    ]);
    expect(conditions(date('lessThan'))).toEqual([{ column: 'when', is: 'less', to: begin.to }]);
    expect(conditions(date('greaterThan'))).toEqual([{ column: 'when', is: 'greaterOrEqual', to: end.to }]);
    const between = date('inRange', '2024-04-02 00:00:00');
    expect(conditions(between)).toEqual([
      {
        column: 'when',
        is: 'allOf',
        of: [
          { is: 'greaterOrEqual', to: end.to },
          { is: 'less', to: day('2024-04-02') },
        ],
      },
    ]);
    expect(conditions(between, true)).toEqual([
      { column: 'when', is: 'allOf', of: [begin, { is: 'less', to: day('2024-04-03') }] },
    ]);
  });

  it('of a column of dates asks for the days themselves', () => {
    const days = (type: string, dateTo: string | null = null) =>
      conditions(
        { day: { filterType: 'date', type, dateFrom: '2024-03-30 00:00:00', dateTo } },
        true,
        'date',
      );
    expect(days('equals')).toEqual([{ column: 'day', is: 'equal', to: '2024-03-30' }]);
    expect(days('lessThan')).toEqual([{ column: 'day', is: 'less', to: '2024-03-30' }]);
    expect(days('inRange', '2024-04-02 00:00:00')).toEqual([
      {
        column: 'day',
        is: 'allOf',
        of: [
          { is: 'greaterOrEqual', to: '2024-03-30' },
          { is: 'lessOrEqual', to: '2024-04-02' },
        ],
      },
    ]);
  });

  it('of a decimal asks for the digits, and not for the number next to them', () => {
    const model = { total: { filterType: 'number', type: 'lessThan', filter: 12.3 } };
    expect(conditions(model, false, 'decimal')).toEqual([{ column: 'total', is: 'less', to: '12.3' }]);
    expect(conditions(model, false, 'double')).toEqual([{ column: 'total', is: 'less', to: 12.3 }]);
  });

  it.each(['toString', 'constructor'])(
    'is an error where it is of a type that is no question: %s',
    (type) => {
      expect(() => conditions({ name: { filterType: 'number', type, filter: 1 } })).toThrow(
        /cannot filter name/,
      );
    },
  );

  it('of several conditions joins them', () => {
    const low = { filterType: 'number', type: 'lessThan', filter: 1 };
    const none = { filterType: 'number', type: 'blank' };
    const model = (operator: string) => ({
      age: { filterType: 'number', operator, conditions: [low, none] },
    });
    const of = [{ is: 'less', to: 1 }, { is: 'blank' }];
    expect(conditions(model('OR'))).toEqual([{ column: 'age', is: 'anyOf', of }]);
    expect(conditions(model('AND'))).toEqual([{ column: 'age', is: 'allOf', of }]);
  });

  it.each([
    { filterType: 'set', values: ['a'] },
    { filterType: 'text', type: 'soundsLike', filter: 'ada' },
    { filterType: 'number', type: 'inRange', filter: 1, filterTo: null },
    { filterType: 'date', type: 'inRange', dateFrom: '2024-01-01 00:00:00', dateTo: null },
    {
      filterType: 'number',
      operator: 'OR',
      conditions: [{ filterType: 'number', type: 'prime', filter: 1 }],
    },
  ])('is an error where the server cannot be asked: %j', (model) => {
    expect(() => conditions({ name: model })).toThrow(/cannot filter name/);
  });
});
