import { describe, expect, it } from 'vitest';
import { readMessage, UnreadableError } from '../../src/door/wire';

const SOURCE = { name: 'orders', table: 'orders_ui', topicField: 'ordersTopic', keep: 'all' };
const DECLARATION = {
  left: SOURCE,
  right: { name: 'people', table: 'people_ui', topicField: 'peopleTopic', keep: 'latest' },
  joined: { table: 'final_ui' },
  on: [['customer', 'id']],
  joins: ['left', 'inner'],
};
const CHANGE = { view: 1, look: 2, generation: 4, size: 120, first: 0, rows: [['u1', 41]] };

function read(message: unknown): unknown {
  return readMessage(JSON.stringify(message));
}

describe('messages of the server', () => {
  it('are read as what they are', () => {
    for (const message of [
      { is: 'welcome', role: 'viewer', name: 'ana', mayExport: true },
      { is: 'welcome', role: 'operator', name: '', mayExport: false },
      { is: 'welcome', role: 'viewer', name: 'ana', mayExport: true, now: 1_715_934_600_123 },
      { is: 'refused', why: 'limit', reason: 'There are too many.' },
      { is: 'declared', declaration: DECLARATION },
      { is: 'opened', view: 1, columns: [{ name: 'userId', type: 'text', key: true, source: 'users' }] },
      { is: 'opened', view: 1, columns: [{ name: '__proto__', type: 'decimal', source: 'users' }] },
      { is: 'opened', view: 1, columns: [{ name: 'day', type: 'date' }] },
      { is: 'failed', view: 1, reason: 'There is no such table.' },
      { is: 'rows', changes: [{ ...CHANGE, at: [7] }] },
      { is: 'pong', id: 7 },
    ]) {
      expect(read(message)).toEqual(message);
    }
  });

  it('may say more than this page knows of', () => {
    expect(read({ is: 'pong', id: 7, since: 'noon' })).toEqual({ is: 'pong', id: 7 });
  });

  it('tell a change of all rows from one of some', () => {
    expect(read({ is: 'rows', changes: [CHANGE] })).toEqual({
      is: 'rows',
      changes: [{ ...CHANGE, at: null }],
    });
  });

  it('need not know a generation', () => {
    const change = { ...CHANGE, at: [0], generation: null };
    expect(read({ is: 'rows', changes: [change] })).toEqual({ is: 'rows', changes: [change] });
  });

  it.each([
    ['a list', []],
    ['nothing', null],
    ['of a kind that is unknown', { is: 'goodbye' }],
    ['of no kind', {}],
    ['a welcome without a role', { is: 'welcome', name: 'ana', mayExport: true }],
    ['a welcome to a role that is unknown', { is: 'welcome', role: 'owner', name: 'ana', mayExport: true }],
    ['a welcome to nobody', { is: 'welcome', role: 'viewer', mayExport: true }],
    ['a welcome that leaves exports open', { is: 'welcome', role: 'viewer', name: 'ana' }],
    ['a welcome at no time', { is: 'welcome', role: 'viewer', name: 'ana', mayExport: true, now: 'noon' }],
    ['a welcome with a maybe', { is: 'welcome', role: 'viewer', name: 'ana', mayExport: 1 }],
    ['a refusal without a reason', { is: 'refused', why: 'key' }],
    ['an opened view without a number', { is: 'opened', columns: [] }],
    ['an opened view without columns', { is: 'opened', view: 1 }],
    ['a column without a name', { is: 'opened', view: 1, columns: [{ type: 'text' }] }],
    [
      'a column of a type that is unknown',
      { is: 'opened', view: 1, columns: [{ name: 'a', type: 'colour' }] },
    ],
    ['a key that is a maybe', { is: 'opened', view: 1, columns: [{ name: 'a', type: 'text', key: 1 }] }],
    [
      'a source without a name',
      { is: 'opened', view: 1, columns: [{ name: 'a', type: 'text', source: null }] },
    ],
    ['no declaration', { is: 'declared' }],
    ['a declaration of one source', { is: 'declared', declaration: { ...DECLARATION, right: undefined } }],
    [
      'a declaration of nothing joined',
      { is: 'declared', declaration: { ...DECLARATION, joined: 'final_ui' } },
    ],
    ['a join on a single column', { is: 'declared', declaration: { ...DECLARATION, on: [['id']] } }],
    ['a join without a name', { is: 'declared', declaration: { ...DECLARATION, joins: [1] } }],
    [
      'a source that keeps something else',
      { is: 'declared', declaration: { ...DECLARATION, left: { ...SOURCE, keep: 'some' } } },
    ],
    ['a failure of a fraction of a view', { is: 'failed', view: 1.5, reason: 'no' }],
    ['a failure of a view below zero', { is: 'failed', view: -1, reason: 'no' }],
    ['an answer to no ping', { is: 'pong' }],
    ['rows without changes', { is: 'rows' }],
    ['a change that is none', { is: 'rows', changes: ['all'] }],
    ['a change without a generation', { is: 'rows', changes: [{ ...CHANGE, generation: undefined }] }],
    ['a change without rows', { is: 'rows', changes: [{ ...CHANGE, rows: undefined }] }],
    ['a row that is no list', { is: 'rows', changes: [{ ...CHANGE, rows: [{ userId: 'u1' }] }] }],
    ['a change at a text', { is: 'rows', changes: [{ ...CHANGE, at: ['0'] }] }],
    ['a change at more rows than it has', { is: 'rows', changes: [{ ...CHANGE, at: [0, 1] }] }],
  ])('are not believed: %s', (_, message) => {
    expect(() => read(message)).toThrow(UnreadableError);
  });

  it('are texts of JSON', () => {
    expect(() => readMessage('{"is":')).toThrow('no JSON');
    expect(() => readMessage(new ArrayBuffer(2))).toThrow('no text');
  });
});
