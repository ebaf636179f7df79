import { describe, expect, it } from 'vitest';
import { columnTracks } from '../../src/live-table/column-layout';

describe('the widths of columns', () => {
  it('are one track for each, wider for texts than for numbers', () => {
    const columns = [
      { position: 0, kind: 'text', width: null },
      { position: 1, kind: 'text', width: null },
      { position: 2, kind: 'integer', width: null },
    ] as const;
    const tracks = columnTracks(columns, new Set([0]));
    expect(tracks).toBe('minmax(6.25rem, 1fr) minmax(7.5rem, 1.6fr) minmax(4rem, 0.6fr)');
  });

  it('are what a person has made them, wherever the column stands', () => {
    const columns = [
      { position: 2, kind: 'integer', width: 90 },
      { position: 0, kind: 'text', width: null },
    ] as const;
    const tracks = columnTracks(columns, new Set([0]));
    expect(tracks).toBe('90px minmax(6.25rem, 1fr)');
  });
});
