import { DECLARATION } from 'livejoin-angular/testing';
import { describe, expect, it } from 'vitest';
import { succession, type Stages } from '../../../src/app/declaration/succession';

const NEXT = {
  ...DECLARATION,
  left: { name: 'orders', table: 'orders_ui', topicField: 'ordersTopic', keep: 'all' },
  right: { name: 'people', table: 'people_ui', topicField: 'peopleTopic', keep: 'all' },
} as const;

describe('tables of another declaration', () => {
  it('are shown at once where nothing is shown yet, and nothing where nobody is logged in', () => {
    expect(succession(null, NEXT, new Map())).toBe('now');
    expect(succession(DECLARATION, null, new Map())).toBe('now');
  });

  it('are shown at once where they have the same names', () => {
    expect(succession(DECLARATION, { ...DECLARATION, joins: [] }, new Map())).toBe('now');
  });

  it('are shown when all of them are here', () => {
    const all: Stages = new Map([
      ['orders_ui', 'live'],
      ['people_ui', 'stale'],
    ]);
    expect(succession(DECLARATION, NEXT, all)).toBe('now');
  });

  it('wait a little for each other', () => {
    const some: Stages = new Map([
      ['orders_ui', 'live'],
      ['people_ui', 'loading'],
    ]);
    expect(succession(DECLARATION, NEXT, some)).toBe('soon');
    expect(succession(DECLARATION, NEXT, new Map([['final_ui', 'live']]))).toBe('soon');
  });

  it('wait for a server that loads them as long as it takes', () => {
    const none: Stages = new Map([
      ['orders_ui', 'loading'],
      ['final_ui', 'stale'],
      ['events_ui', 'live'],
    ]);
    expect(succession(DECLARATION, NEXT, none)).toBe('later');
  });
});
