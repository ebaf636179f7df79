import { computed, linkedSignal, signal } from '@angular/core';
import type { RowWindow, ViewSnapshot } from 'livejoin-client';
import { ENGLISH, type LivejoinWords, type WriteCount } from '../words';

interface Held {
  readonly shown: ViewSnapshot;
  readonly updates: number;
}

/**
 * Holds the rows that are on the screen while a person reads them, and counts what it holds back. Who scrolls away from
 * them sees the rows of now, which are then held in their turn.
 */
export class Pause {
  readonly #heldSize = signal<number | null>(null);
  readonly isPaused = computed(() => this.#heldSize() !== null);
  /** Rows of the table as it is shown. */
  readonly size = computed(() => this.#heldSize() ?? this.live().size);

  constructor(
    private readonly live: () => ViewSnapshot,
    private readonly visible: () => RowWindow,
    private readonly words: Pick<LivejoinWords, 'nothingHeld' | 'held'> = ENGLISH,
    private readonly written: WriteCount = String,
  ) {}

  readonly #held = linkedSignal<{ live: ViewSnapshot; isPaused: boolean; visible: RowWindow }, Held>({
    source: () => ({ live: this.live(), isPaused: this.isPaused(), visible: this.visible() }),
    computation: ({ live, isPaused, visible }, before) => {
      if (!isPaused || before === undefined || !covers(before.value.shown, visible)) {
        return { shown: live, updates: isPaused ? (before?.value.updates ?? 0) : 0 };
      }
      const isUpdate = !isSame(before.source.live.rows, live.rows);
      return { shown: before.value.shown, updates: before.value.updates + (isUpdate ? 1 : 0) };
    },
  });

  readonly shown = computed(() => this.#held().shown);

  readonly note = computed(() => {
    const updates = this.#held().updates;
    const rows = this.live().size - this.size();
    if (updates === 0 && rows === 0) return this.words.nothingHeld;
    return this.words.held(updates, rows, this.written);
  });

  toggle(): void {
    this.#heldSize.update((size) => (size === null ? this.live().size : null));
  }

  resume(): void {
    this.#heldSize.set(null);
  }
}

function covers({ rows, size }: ViewSnapshot, { first, last }: RowWindow): boolean {
  const oldest = rows[0]?.index ?? Infinity;
  const newest = rows.at(-1)?.index ?? -1;
  return oldest <= first && Math.min(last, size - 1) <= newest;
}

/** The server sends a row again when a part of it has changed that this table does not show. */
function isSame(before: ViewSnapshot['rows'], now: ViewSnapshot['rows']): boolean {
  return before.length === now.length && before.every((row, index) => row === now[index]);
}
