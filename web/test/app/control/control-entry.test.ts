import { describe, expect, it } from 'vitest';
import { entryOf, entryWithId, meaningOf } from '../../../src/app/control/control-entry';

function entry(raw: string, verdict = '') {
  return { raw, verdict, reason: '', when: null, by: '' };
}

describe('a control message in the log', () => {
  it('is found by its id, among others and among nonsense', () => {
    const mine = entry('{"id":"b","rollback":true}', 'applied');
    const entries = [entry('{'), entry('"b"'), entry('null'), entry('{"id":"a","usersTopic":"b"}'), mine];
    expect(entryWithId(entries, 'b')).toBe(mine);
    expect(entryWithId(entries, 'c')).toBeNull();
  });

  it.each([
    ['somebody', '{"rollback":true,"by":"ana"}', 'ana'],
    ['nobody', '{"rollback":true}', ''],
    ['what is no name', '{"rollback":true,"by":7}', ''],
    ['nothing that can be read', '{"by":"ana"', ''],
    ['a list', '["by"]', ''],
  ])('was asked for by %s', (_, raw, by) => {
    const row = new Map([['raw', raw]]);
    expect(entryOf(row)).toEqual({ raw, verdict: '', reason: '', when: null, by });
  });

  it('says what to do about its verdict', () => {
    expect(meaningOf('rejected')).toMatch(/Correct it/);
    expect(meaningOf('')).toMatch(/being worked on/);
  });
});
