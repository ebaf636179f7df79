import { describe, expect, it } from 'vitest';
import { entryOf, entryWithId, meaningOf } from '../../../src/app/control/control-entry';

function entry(raw: string) {
  return entryOf(new Map([['raw', raw]]));
}

describe('a control message in the log', () => {
  it('is found by its id, among others and among nonsense', () => {
    const mine = entry('{\n  "id": "b",\n  "rollback": true\n}');
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
    ['who would hide', '{"by":"\\u202eana\\u001b[2J"}', '⟨U+202E⟩ana␛[2J'],
  ])('was asked for by %s', (_, raw, by) => {
    expect(entry(raw)).toEqual({ raw, id: null, verdict: '', reason: '', when: null, by });
  });

  it('is shown with what a page would obey or hide', () => {
    expect(entry('{\n"a\u202e"}').raw).toBe('{␊"a⟨U+202E⟩"}');
  });

  it('says what to do about its verdict', () => {
    expect(meaningOf('rejected')).toMatch(/Correct it/);
    expect(meaningOf('')).toMatch(/being worked on/);
  });
});
