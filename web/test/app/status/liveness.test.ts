import { describe, expect, it } from 'vitest';
import { livenessOf, type Scene } from '../../../src/app/status/liveness';

const rights = { role: 'viewer', name: 'ana', mayExport: true } as const;
const LIVE: Scene = {
  connection: { kind: 'live', since: 0, rights },
  areHere: true,
  areOld: false,
  isShown: true,
  isStalled: false,
  isBehind: false,
};

describe('the word of the badge', () => {
  it('counts down to the next try, and says when it is under way', () => {
    const connection = { kind: 'reconnecting', attempt: 3, nextTry: 10_000, reason: 'gone' } as const;
    const scene = { ...LIVE, connection };
    expect(livenessOf(scene, 7_900)).toMatchObject({ label: 'Reconnecting', detail: 'try 3, next in 3 s' });
    expect(livenessOf(scene, 10_000)).toMatchObject({ label: 'Reconnecting', detail: 'try 3, trying' });
  });

  it.each([
    ['Live', {}],
    ['Loading', { areHere: false }],
    ['Waiting', { isShown: false }],
    ['Stalled', { isStalled: true, isBehind: true }],
    ['Partly stale', { areOld: true, isBehind: true }],
    ['Behind', { isBehind: true }],
  ])('is %s over a connection that is well, by what is known of the rows', (label, known) => {
    expect(livenessOf({ ...LIVE, ...known }, 0)).toMatchObject({ label, detail: '' });
  });
});
