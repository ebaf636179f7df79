import { instantOf, type ExportState, type LivejoinFormats, type TableFile } from 'livejoin-angular';
import { sentence } from '../sentence';
import type { ExportKind } from './export-kind';

/**
 * `orders_ui-generation-3-2026-11-16T03-10-00Z.csv`: what it is, of which generation, and when, by the clock of the zone
 * that is chosen.
 */
export function exportName(
  table: string,
  { ending }: Pick<ExportKind, 'ending'>,
  { generation }: Pick<TableFile, 'generation'>,
  formats: Pick<LivejoinFormats, 'iso'>,
  now = Date.now(),
): string {
  const of = generation === null ? '' : `-generation-${String(generation)}`;
  const second = instantOf(BigInt(Math.floor(now / 1_000)) * 1_000_000_000n);
  return `${table}${of}-${formats.iso(second).replaceAll(':', '-')}.${ending}`;
}

/** What a person reads while and after a file is made; empty where there is nothing to say. */
export function exportText(state: ExportState, count: (number: number) => string, what = 'row'): string {
  switch (state.kind) {
    case 'idle':
      return '';
    case 'running':
      if (state.total === null) return 'Export: copying the table …';
      return `Export: ${count(state.done)} of ${count(state.total)} ${what}s`;
    case 'saved':
      return `Exported ${count(state.rows)} ${what}${state.rows === 1 ? '' : 's'}`;
    case 'failed':
      return `The export failed: ${sentence(state.reason)} Try again.`;
  }
}
