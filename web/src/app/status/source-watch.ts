import { computed, effect, inject, Injectable, signal, untracked } from '@angular/core';
import { injectLiveTable } from 'livejoin-angular';
import { Clock } from '../clock';
import { numberIn, recordsOf, textIn, timeIn, type RowRecord } from '../records';
import { isBehind, type SourceReach } from './freshness';
import { Throughput, type Reach } from './throughput';

/** What the table `source_progress` says, looked at with every tick of the clock. */
@Injectable({ providedIn: 'root' })
export class SourceWatch {
  readonly #clock = inject(Clock);
  readonly #table = injectLiveTable('source_progress', { window: { first: 0, last: 255 } });
  readonly #throughput = signal(Throughput.NONE);
  readonly throughput = this.#throughput.asReadonly();

  /** By the names of the sources; empty while nobody tells. */
  readonly sources = computed<ReadonlyMap<string, SourceReach>>(() => {
    const bySource = new Map<string, RowRecord[]>();
    for (const row of recordsOf(this.#table.snapshot())) {
      const source = textIn(row, 'source');
      bySource.set(source, [...(bySource.get(source) ?? []), row]);
    }
    return new Map([...bySource].map(([source, rows]) => [source, reachOf(source, rows)]));
  });

  readonly isBehind = computed(() => {
    const now = this.#clock.serverNow();
    return [...this.sources().values()].some((reach) => isBehind(reach, now));
  });

  readonly #reach = computed<Reach | null>(() => {
    const snapshot = this.#table.snapshot();
    if (snapshot.state.kind !== 'live' || snapshot.rows.length === 0) return null;
    const rows = recordsOf(snapshot);
    const names = rows.map((row) => `${textIn(row, 'topic')}/${textIn(row, 'partition')}`);
    const of = `${String(snapshot.generation)} ${names.sort().join(' ')}`;
    return { of, position: sumOf(rows, 'position'), end: sumOf(rows, 'end') };
  });

  constructor() {
    effect(() => {
      const now = this.#clock.now();
      const reach = untracked(this.#reach);
      if (reach !== null) this.#throughput.update((before) => before.with(reach, now));
    });
  }
}

function reachOf(source: string, rows: readonly RowRecord[]): SourceReach {
  const times = (column: string): number[] => rows.flatMap((row) => timeIn(row, column) ?? []);
  const latest = (column: string): number | null =>
    times(column).reduce<number | null>((most, time) => Math.max(most ?? time, time), null);
  const waiting = times('waitingSince');
  return {
    source,
    position: sumOf(rows, 'position'),
    end: sumOf(rows, 'end'),
    newest: latest('newest'),
    arrived: latest('arrived'),
    waitingSince: waiting.length === 0 ? null : Math.min(...waiting),
  };
}

function sumOf(rows: readonly RowRecord[], column: string): number {
  return rows.reduce((all, row) => all + (numberIn(row, column) ?? 0), 0);
}
