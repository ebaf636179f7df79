import type { CellFormat, ColumnKind } from 'livejoin-angular';
import { describe, expect, it } from 'vitest';
import {
  conditionsOf,
  draftOf,
  fieldsOf,
  questionsFor,
  type FilterDraft,
} from '../../src/table-view/filter-draft';

const HERE: CellFormat = { locale: 'en', zone: 'UTC' };
const EMPTY = { value: '', from: '', to: '' };

function asked(kind: ColumnKind, draft: Partial<FilterDraft> & Pick<FilterDraft, 'asks'>): unknown {
  return conditionsOf({ name: 'c', kind }, { ...EMPTY, ...draft }, HERE);
}

describe('the fields of a filter', () => {
  it('are those of the kind of the column', () => {
    expect(questionsFor('text').slice(0, 5)).toEqual([
      'containing',
      'notContaining',
      'equal',
      'notEqual',
      'startingWith',
    ]);
    expect(questionsFor('boolean')).toEqual(['any', 'true', 'false', 'null', 'notNull']);
    expect(['integer', 'double', 'decimal', 'date', 'instant'].map((kind) => questionsFor(kind as ColumnKind)[0]))
      .toEqual(Array(5).fill('between')); // prettier-ignore
    expect([fieldsOf('between'), fieldsOf('equal'), fieldsOf('null'), fieldsOf('true')]).toEqual([
      ['from', 'to'],
      ['value'],
      [],
      [],
    ]);
  });

  it('ask for what is typed, exactly as it is typed', () => {
    expect(asked('integer', { asks: 'between', from: ' 9007199254740993 ' })).toEqual([
      { column: 'c', is: 'greaterOrEqual', to: '9007199254740993' },
    ]);
    expect(asked('decimal', { asks: 'between', from: '1.50', to: '2' })).toEqual([
      { column: 'c', is: 'greaterOrEqual', to: '1.50' },
      { column: 'c', is: 'lessOrEqual', to: '2' },
    ]);
    expect(asked('text', { asks: 'startingWith', value: ' a' })).toEqual([
      { column: 'c', is: 'startingWith', to: ' a' },
    ]);
    expect(asked('text', { asks: 'blank' })).toEqual([{ column: 'c', is: 'blank' }]);
    expect(asked('boolean', { asks: 'false' })).toEqual([{ column: 'c', is: 'equal', to: 'false' }]);
    expect(asked('instant', { asks: 'equal', value: '2024-12-31 23:59:59.123456789' })).toEqual([
      { column: 'c', is: 'equal', to: '2024-12-31T23:59:59.123456789Z' },
    ]);
  });

  it('ask for nothing while they are empty', () => {
    expect(asked('integer', { asks: 'between' })).toEqual([]);
    expect(asked('text', { asks: 'containing' })).toEqual([]);
    expect(draftOf([], 'boolean', HERE).asks).toBe('any');
    expect(asked('boolean', { asks: 'any' })).toEqual([]);
  });

  it.each<[ColumnKind, string, string]>([
    ['integer', '10', '9'],
    ['integer', '9007199254740993', '9007199254740992'],
    ['decimal', '12345678901234567890.2', '12345678901234567890.1'],
    ['double', '1', '-1e3'],
    ['date', '2024-12-31', '2024-12-30'],
    ['instant', '2024-12-31 00:00:00.000000002', '2024-12-31 00:00:00.000000001'],
  ])('flag a range in which nothing can be: %s from %s to %s', (kind, from, to) => {
    const fault = { fields: ['from', 'to'], why: 'fromBeyondTo' };
    expect(asked(kind, { asks: 'between', from, to })).toEqual(fault);
    expect(asked(kind, { asks: 'between', from: to, to: from })).toHaveLength(2);
    expect(asked(kind, { asks: 'between', from, to: from })).toHaveLength(2);
  });

  it.each<[ColumnKind, string, string]>([
    ['integer', 'ten', 'notANumber'],
    ['double', '1,5', 'notANumber'],
    ['date', '2023-02-29', 'notADate'],
    ['instant', 'yesterday', 'notAMoment'],
    ['instant', '2024-02-31 00:00', 'notAMoment'],
  ])('say what is wrong with it: %s %s', (kind, from, why) => {
    expect(asked(kind, { asks: 'between', from, to: '' })).toEqual({ fields: ['from'], why });
  });

  it('are read and written as numbers are in that place, and asked for in one way everywhere', () => {
    const german = { ...HERE, locale: 'de' };
    const ask = (from: string) =>
      conditionsOf({ name: 'c', kind: 'double' }, { ...EMPTY, asks: 'between', from }, german);
    const asked = [{ column: 'c', is: 'greaterOrEqual', to: '1234.5' }] as const;
    expect(ask('1.234,5')).toEqual(asked);
    expect(ask('1.5')).toEqual({ fields: ['from'], why: 'notANumber' });
    expect(draftOf(asked, 'double', german).from).toBe('1.234,5');
    expect(draftOf(asked, 'text', german).from).toBe('1234.5');
  });

  it('show what is in force, also from a link', () => {
    expect(draftOf([{ column: 'c', is: 'lessOrEqual', to: '5' }], 'integer', HERE)).toEqual({
      ...EMPTY,
      asks: 'between',
      to: '5',
    });
    expect(draftOf([{ column: 'c', is: 'notNull' }], 'integer', HERE).asks).toBe('notNull');
    expect(draftOf([{ column: 'c', is: 'equal', to: 'true' }], 'boolean', HERE).asks).toBe('true');
    const moment = [{ column: 'c', is: 'equal', to: '2024-12-31T10:00:00.5+01:00' }] as const;
    expect(draftOf(moment, 'instant', HERE).value).toBe('2024-12-31 09:00:00.500');
    expect(draftOf([], 'text', HERE)).toEqual({ ...EMPTY, asks: 'containing' });
  });

  it('mean the clock of the zone that was chosen, and show it again', () => {
    const draft = { ...EMPTY, asks: 'equal', value: '2024-07-01 12:00:00' } as const;
    const found = conditionsOf({ name: 'c', kind: 'instant' }, draft, { ...HERE, zone: 'local' });
    const utc = `${new Date('2024-07-01T12:00:00').toISOString().slice(0, 19)}Z`;
    expect(found).toEqual([{ column: 'c', is: 'equal', to: utc }]);
    expect(
      draftOf([{ column: 'c', is: 'equal', to: utc }], 'instant', { ...HERE, zone: 'local' }).value,
    ).toBe('2024-07-01 12:00:00');
  });

  it('take a time as it is copied from a table, by whatever clock that was', () => {
    for (const value of ['2024-07-01T12:00:00.000000001+02:00', '2024-07-01 10:00:00.000000001 Z']) {
      const found = conditionsOf({ name: 'c', kind: 'instant' }, { ...EMPTY, asks: 'equal', value }, HERE);
      expect(found).toEqual([{ column: 'c', is: 'equal', to: '2024-07-01T10:00:00.000000001Z' }]);
    }
    const nowhere = { ...EMPTY, asks: 'equal', value: '2024-07-01T12:00:00+99:00' } as const;
    expect(conditionsOf({ name: 'c', kind: 'instant' }, nowhere, HERE)).toMatchObject({ why: 'notAMoment' });
  });
});
