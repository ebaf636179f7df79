import { DECLARATION } from 'livejoin-angular/testing';
import { describe, expect, it } from 'vitest';
import { placesOf } from '../../../src/app/declaration/places';

const left = {
  name: 'order_items',
  table: 'order_items_ui',
  topicField: 'order_itemsTopic',
  keep: 'all',
} as const;

describe('places on the page', () => {
  it('are there before it is known what is joined', () => {
    expect(placesOf(null, DECLARATION).map(({ side, tables }) => [side, tables])).toEqual([
      ['joined', []],
      ['left', []],
      ['right', []],
    ]);
  });

  it('have their tables, called as their sources, and lines between them', () => {
    const places = placesOf(DECLARATION, DECLARATION);
    expect(places.map(({ tables }) => tables)).toEqual([
      [{ name: 'final_ui', heading: 'Joined', isComing: false }],
      [{ name: 'events_ui', heading: 'Events', isComing: false }],
      [{ name: 'details_ui', heading: 'Details', isComing: false }],
    ]);
    expect(places.map(({ line }) => line?.label)).toEqual([
      'Room for the joined table and its sources',
      'Room for events and details',
      undefined,
    ]);
  });

  it('have behind a table the one that will follow it, and nothing behind one that stays', () => {
    const [first, second, third] = placesOf(DECLARATION, { ...DECLARATION, left });
    expect(second?.tables).toEqual([
      { name: 'events_ui', heading: 'Events', isComing: false },
      { name: 'order_items_ui', heading: 'Order items', isComing: true },
    ]);
    expect([first?.tables.length, third?.tables.length]).toEqual([1, 1]);
  });
});
