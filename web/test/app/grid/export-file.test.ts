import { isoIn, type ExportState, type Instant } from 'livejoin-angular';
import { describe, expect, it } from 'vitest';
import { exportName, exportText } from '../../../src/app/grid/export-file';

function said(state: ExportState): string {
  return exportText(state, (number) => number.toLocaleString('en'));
}

const CSV = { ending: 'csv' };

describe('an exported file', () => {
  it('is named after what is in it', () => {
    const now = Date.parse('2026-11-16T03:10:00.123Z');
    const utc = { iso: (at: Instant) => isoIn(at, 'UTC') };
    expect(exportName('final_ui', CSV, { generation: 3 }, utc, now)).toBe(
      'final_ui-generation-3-2026-11-16T03-10-00Z.csv',
    );
    expect(exportName('users_ui', CSV, { generation: null }, utc, now)).toBe(
      'users_ui-2026-11-16T03-10-00Z.csv',
    );
    const berlin = { iso: (): string => '2026-11-16T04:10:00+01:00' };
    expect(exportName('users_ui', CSV, { generation: 7 }, berlin, now)).toMatch(
      /-7-2026-11-16T04-10-00\+01-00\.csv$/,
    );
    expect(exportName('users_ui', { ending: 'jsonl' }, { generation: 7 }, utc, now)).toMatch(
      /-7-.*Z\.jsonl$/,
    );
  });

  it('is told of in words, from the copy to the end', () => {
    expect(said({ kind: 'idle' })).toBe('');
    expect(said({ kind: 'running', done: 0, total: null })).toContain('copying');
    expect(said({ kind: 'running', done: 1_000, total: 5_000 })).toBe('Export: 1,000 of 5,000 rows');
    expect(said({ kind: 'saved', rows: 5_000 })).toBe('Exported 5,000 rows');
    expect(said({ kind: 'saved', rows: 1 })).toBe('Exported 1 row');
    expect(said({ kind: 'failed', reason: 'It is gone.' })).toContain('It is gone. Try again.');
    expect(said({ kind: 'failed', reason: 'this key may look, and not export' })).toBe(
      'The export failed: This key may look, and not export. Try again.',
    );
  });
});
