import { describe, expect, it } from 'vitest';
import { sentence } from '../../src/app/sentence';

describe('what a program has said', () => {
  it('begins and ends as a sentence', () => {
    expect(sentence('generation 2 is live again')).toBe('Generation 2 is live again.');
    expect(sentence(' Really? ')).toBe('Really?');
    expect(sentence('')).toBe('');
  });

  it('keeps the spelling of a name', () => {
    expect(sentence('generation-1-join has ended')).toBe('generation-1-join has ended.');
    expect(sentence("'users' was created again.")).toBe("'users' was created again.");
  });
});
