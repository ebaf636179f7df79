import { describe, expect, it } from 'vitest';
import { KeyRefusedError, reasonOf } from '../src/errors';

describe('errors', () => {
  it('carry the name of their class', () => {
    expect(new KeyRefusedError().name).toBe('KeyRefusedError');
  });

  it('become words, whatever was thrown', () => {
    expect(reasonOf(new Error('broken'))).toBe('broken');
    expect(reasonOf('table not found')).toBe('table not found');
    expect(reasonOf({ type: 'disconnect' })).toBe('The table server is not reachable.');
  });
});
