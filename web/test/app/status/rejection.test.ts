import { describe, expect, it } from 'vitest';
import { rejectionOf } from '../../../src/app/status/rejection';

describe('a rejected control message', () => {
  const entry = {
    raw: '{}',
    id: null,
    verdict: 'rejected',
    reason: 'the broker has no topic',
    when: 1_000,
    by: '',
  };

  it('is told for two minutes', () => {
    expect(rejectionOf(entry, 2_000)).toBe('The broker has no topic.');
    expect(rejectionOf(entry, 200_000)).toBeNull();
  });

  it('is no news when a newer message was not rejected, or there is none', () => {
    expect(rejectionOf({ ...entry, verdict: 'applied' }, 2_000)).toBeNull();
    expect(rejectionOf(null, 2_000)).toBeNull();
  });
});
