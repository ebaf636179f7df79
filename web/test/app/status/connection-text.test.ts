import { describe, expect, it } from 'vitest';
import { connectionText } from '../../../src/app/status/connection-text';

describe('the words for a connection', () => {
  it('count down to the next try, and say when it is under way', () => {
    const state = { kind: 'reconnecting', attempt: 3, nextTry: 10_000, reason: 'gone' } as const;
    expect(connectionText(state, 7_900)).toEqual({ label: 'Reconnecting', detail: 'try 3, next in 3 s' });
    expect(connectionText(state, 10_000)).toEqual({ label: 'Reconnecting', detail: 'try 3, trying' });
  });

  it('are short where there is nothing to wait for', () => {
    const rights = { role: 'viewer', name: 'ana', mayExport: true } as const;
    expect(connectionText({ kind: 'live', since: 0, rights }, 1)).toEqual({ label: 'Live', detail: '' });
  });
});
