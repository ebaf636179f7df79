import { instantFrom, type ColumnKind, type FilterCondition } from 'livejoin-angular';
import { describe, expect, it } from 'vitest';
import { conditionOf, type Comparison } from '../../src/table-view/typed-filter';

function operand(text: string, kind?: ColumnKind): unknown {
  const condition = conditionOf({ column: 'a', is: 'greaterOrEqual', to: text }, kind);
  return condition !== null && 'to' in condition ? condition.to : null;
}

describe('what was typed', () => {
  it.each<[ColumnKind, string, unknown]>([
    ['integer', '42', 42],
    ['integer', '-9007199254740993', -9007199254740993n],
    ['integer', '+9007199254740993', 9007199254740993n],
    ['integer', '1e3', 1000],
    ['integer', '12.0', 12],
    ['double', '12.30', 12.3],
    ['double', '1e3', 1000],
    ['decimal', '12.3', '12.3'],
    ['decimal', '12.30', '12.30'],
    ['decimal', '-12345678901234567890.123456789', '-12345678901234567890.123456789'],
    ['decimal', '.5', '0.5'],
    ['decimal', '12.', '12'],
    ['decimal', '+1', '1'],
    ['decimal', '1e3', '1000'],
    ['boolean', 'true', true],
    ['boolean', 'false', false],
    ['date', '2024-12-31', '2024-12-31'],
    ['text', '12', '12'],
  ])('is of the kind of its column: %s %s', (kind, text, value) => {
    expect(operand(text, kind)).toBe(value);
  });

  it('is a point in time, in UTC where it has no zone', () => {
    const at = instantFrom('2024-05-17T08:30:00Z');
    expect(operand('2024-05-17T08:30', 'instant')).toEqual(at);
    expect(operand('2024-05-17T08:30:00Z', 'instant')).toEqual(at);
    expect(operand('2024-05-17T10:30:00.000000001+02:00', 'instant')).toEqual(
      instantFrom('2024-05-17T08:30:00.000000001Z'),
    );
  });

  it.each<[ColumnKind, string]>([
    ['integer', ''],
    ['integer', 'one'],
    ['double', 'Infinity'],
    ['decimal', ''],
    ['decimal', '.'],
    ['decimal', '-'],
    ['decimal', '1,5'],
    ['decimal', '1e300'],
    ['boolean', 'yes'],
    ['date', '31.12.2024'],
    ['instant', '2024-12-31'],
    ['instant', '2024-13-45T99:99:00Z'],
    ['instant', '2024-02-31T00:00:00Z'],
    ['date', '2023-02-29'],
  ])('is no question where it is no value of the kind: %s %j', (kind, text) => {
    expect(operand(text, kind)).toBeNull();
  });

  it('is what it looks like while the kind is not known', () => {
    expect(operand('10')).toBe(10);
    expect(operand('12.30')).toBe('12.30');
    expect(operand('9007199254740993')).toBe('9007199254740993');
    expect(operand('2024-12-31')).toBe('2024-12-31');
    expect(operand('true')).toBe(true);
    expect(operand('2024-05-17T08:30:00Z')).toEqual(instantFrom('2024-05-17T08:30:00Z'));
    expect(operand('ada')).toBe('ada');
  });

  it.each<[Comparison, string, FilterCondition]>([
    ['greaterOrEqual', '9007199254740993.5', { is: 'greater', to: 9007199254740993n }],
    ['less', '-9007199254740993.5', { is: 'lessOrEqual', to: -9007199254740994n }],
    ['lessOrEqual', '1.5', { is: 'lessOrEqual', to: 1 }],
    ['equal', '1.5', { is: 'oneOf', to: [] }],
    ['equal', '9007199254740993', { is: 'equal', to: 9007199254740993n }],
    ['greaterOrEqual', '99999999999999999999', { is: 'greaterOrEqual', to: 99999999999999999999n }],
  ])('is never rounded to another integer: %s %s', (is, to, asked) => {
    expect(conditionOf({ column: 'a', is, to }, 'integer')).toEqual({ column: 'a', ...asked });
  });

  it('asks texts, and only them, what they contain, and everything whether it is null', () => {
    const containing = { column: 'a', is: 'containing', to: '1' } as const;
    expect(conditionOf(containing, 'text')).toEqual(containing);
    expect(conditionOf(containing, undefined)).toEqual(containing);
    expect(conditionOf(containing, 'decimal')).toBeNull();
    expect(conditionOf({ column: 'a', is: 'notNull' }, 'date')).toEqual({ column: 'a', is: 'notNull' });
  });
});
