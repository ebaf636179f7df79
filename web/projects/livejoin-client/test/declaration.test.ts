import { DECLARATION } from 'livejoin-client/testing';
import { describe, expect, it } from 'vitest';
import { sameDeclaration, tablesOf } from '../src/declaration';

describe('a declaration', () => {
  it('has three tables', () => {
    expect(tablesOf(DECLARATION)).toEqual(['events_ui', 'details_ui', 'final_ui']);
  });

  it('is the same where it says the same', () => {
    const again = { ...DECLARATION, left: { ...DECLARATION.left }, on: DECLARATION.on.map((pair) => pair) };
    expect(sameDeclaration(DECLARATION, again)).toBe(true);
    expect(sameDeclaration(null, null)).toBe(true);
  });

  it.each([
    ['a name', { left: { ...DECLARATION.left, name: 'orders' } }],
    ['a table', { joined: { table: 'other_ui' } }],
    ['a field', { right: { ...DECLARATION.right, topicField: 'topic' } }],
    ['what is kept', { right: { ...DECLARATION.right, keep: 'all' as const } }],
    ['a pair of columns', { on: [['id', 'key'] as const] }],
    ['a join', { joins: ['left'] }],
  ])('is another one where %s is', (_, change) => {
    expect(sameDeclaration(DECLARATION, { ...DECLARATION, ...change })).toBe(false);
    expect(sameDeclaration(DECLARATION, null)).toBe(false);
  });
});
