import { describe, expect, it } from 'vitest';
import {
  appliedBefore,
  askedIn,
  entryOf,
  entryWithId,
  meaningOf,
  type ControlEntry,
} from '../../../src/app/control/control-entry';

function entry(raw: string) {
  return entryOf(new Map([['raw', raw]]), { left: '', right: '' });
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
    const nothing = { left: '', right: '', joinType: '', id: null, verdict: '', reason: '', when: null };
    expect(entry(raw)).toEqual({ ...nothing, raw, isRollback: raw.includes('rollback'), by });
  });

  it('is shown with what a page would obey or hide', () => {
    expect(entry('{\n"a\u202e"}').raw).toBe('{␊"a⟨U+202E⟩"}');
  });

  describe('in words', () => {
    const NAMES = { left: 'users', right: 'accounts' };
    const swap = (left: string, right: string, verdict = 'applied'): ControlEntry => ({
      ...entry('{}'),
      left,
      right,
      joinType: 'left',
      verdict,
    });

    it('is what it changes against what was live before it', () => {
      const entries = [swap('u2', 'a'), swap('u9', 'a9', 'rejected'), swap('u1', 'a')];
      expect(askedIn(swap('u2', 'a'), NAMES, appliedBefore(entries, 0))).toBe('users → u2, joined left');
      expect(askedIn(swap('u2', 'b'), NAMES, null)).toBe('users → u2, accounts → b, joined left');
      expect(askedIn(swap('u1', 'a'), NAMES, swap('u1', 'a'))).toBe('users → u1, accounts → a, joined left');
    });

    it('is a rollback, or that nobody can read it', () => {
      expect(askedIn(entry('{"rollback":true}'), NAMES, null)).toBe('Roll back');
      expect(askedIn(entry('{'), NAMES, null)).toBe('A message that cannot be read');
    });
  });

  it('says what to do about its verdict', () => {
    expect(meaningOf('rejected')).toMatch(/Correct it/);
    expect(meaningOf('')).toMatch(/being worked on/);
  });
});
