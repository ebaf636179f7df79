import { describe, expect, it } from 'vitest';
import { columnTracks } from '../../src/live-table/column-layout';

describe('the widths of columns', () => {
  it('are one track for each, wider for texts than for numbers', () => {
    const tracks = columnTracks([
      { name: 'userId', kind: 'text' },
      { name: 'email', kind: 'text' },
      { name: 'age', kind: 'integer' },
    ]);
    expect(tracks).toBe('minmax(6.25rem, 1fr) minmax(7.5rem, 1.6fr) minmax(4rem, 0.6fr)');
  });
});
