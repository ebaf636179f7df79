import { describe, expect, it } from 'vitest';
import { mayFollow } from '../../src/connection/connection-state';

describe('the states of a connection', () => {
  it('never leave a refusal by themselves for another try', () => {
    expect(mayFollow('refused', 'reconnecting')).toBe(false);
    expect(mayFollow('refused', 'live')).toBe(false);
  });

  it('lead from live to a refusal, because a key can be withdrawn', () => {
    expect(mayFollow('live', 'refused')).toBe(true);
  });

  it('allow a person to begin again from everywhere', () => {
    for (const kind of ['idle', 'connecting', 'live', 'reconnecting', 'refused', 'failed'] as const) {
      expect(mayFollow(kind, 'connecting')).toBe(true);
    }
  });
});
