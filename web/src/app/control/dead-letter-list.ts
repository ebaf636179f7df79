import {
  ChangeDetectionStrategy,
  Component,
  computed,
  effect,
  ElementRef,
  inject,
  signal,
} from '@angular/core';
import {
  Glyph,
  injectLiveTable,
  injectTableExport,
  LivejoinFormats,
  TableSearch,
  visibleText,
  ZoneSwitch,
  type FilterBy,
  type LiveTable,
  type SortBy,
} from 'livejoin-angular';
import { KnownRights } from '../access/known-rights';
import { Clock } from '../clock';
import { copyText } from '../copy-text';
import { ExportChoice } from '../grid/export-choice';
import { exportName, exportText } from '../grid/export-file';
import type { ExportKind } from '../grid/export-kind';
import { ExportMenu } from '../grid/export-menu';
import { exactTextIn, recordsOf, textIn, timeIn, type RowRecord } from '../records';
import { Notices } from '../status/notices';
import { byReason } from './letters-by-reason';
import { agoText, exactMoment } from './moment-text';

const TABLE = 'dead_letters';
/** How many are looked at for their reasons, and how many reasons and letters are on a page. */
const NEWEST = 1_000;
const REASONS = 6;
const LISTED = 100;
/** As long as it takes to read that something was saved. */
const NOTE_MS = 6_000;

/** By time, and of those with the same time of a partition the one that came last. */
const NEWEST_FIRST: readonly SortBy[] = [
  { column: 'when', direction: 'descending' },
  { column: 'topic', direction: 'ascending' },
  { column: 'partition', direction: 'ascending' },
  { column: 'offset', direction: 'descending' },
];

interface Letter {
  readonly place: string;
  readonly reason: string;
  readonly text: string;
  readonly exact: ReturnType<typeof exactMoment>;
  readonly ago: string;
  /** All of it, for another program. */
  readonly copied: string;
}

/** Events that could not be used, the newest first, with the reason and what they were. */
@Component({
  selector: 'lj-dead-letter-list',
  imports: [ExportMenu, Glyph, TableSearch, ZoneSwitch],
  templateUrl: './dead-letter-list.html',
  styleUrl: './log-list.css',
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class DeadLetterList {
  readonly #clock = inject(Clock);
  readonly #formats = inject(LivejoinFormats);
  readonly #notices = inject(Notices);
  readonly #rights = inject(KnownRights);
  readonly #element = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;
  readonly #exports = inject(ExportChoice);
  readonly #file = injectTableExport();

  protected readonly listed = LISTED;
  protected readonly search = signal('');
  /** As the events have it, because the server is asked for it; null for any. */
  protected readonly reason = signal<string | null>(null);
  /** The first letter of the page. */
  protected readonly first = signal(0);
  readonly #filter = computed<readonly FilterBy[]>(() => {
    const reason = this.reason();
    return reason === null ? [] : [{ column: 'reason', is: 'equal', to: reason }];
  });
  /** A view of its own, because one viewport does not reach from the newest to whatever page is looked at. */
  protected readonly whole: LiveTable = injectLiveTable(TABLE, {
    columns: ['offset', 'reason'],
    sort: NEWEST_FIRST,
    window: { first: 0, last: NEWEST - 1 },
  });
  protected readonly found = injectLiveTable(TABLE, {
    sort: NEWEST_FIRST,
    filter: this.#filter,
    search: this.search,
    window: () => ({ first: this.first(), last: this.first() + LISTED - 1 }),
  });

  protected readonly reasons = computed(() => {
    const rows = recordsOf(this.whole.snapshot());
    const all = byReason(rows.map((row) => ({ reason: exactTextIn(row, 'reason') })));
    const most = all.slice(0, REASONS);
    const chosen = this.reason();
    // What is chosen can be taken back, however many others have come.
    const isAway = chosen !== null && most.every(({ reason }) => reason !== chosen);
    const count = all.find(({ reason }) => reason === chosen)?.count ?? 0;
    return [...most, ...(isAway ? [{ reason: chosen, count }] : [])].map((one) => ({
      exact: one.reason,
      reason: visibleText(one.reason),
      count: this.#formats.count(one.count),
    }));
  });
  protected readonly reasonsLabel = computed(() =>
    this.whole.size() > NEWEST ? `Reasons of the newest ${this.#formats.count(NEWEST)}` : 'Reasons',
  );
  readonly #isRestricted = computed(() => this.reason() !== null || this.search().trim() !== '');
  protected readonly count = computed(() => {
    const all = this.whole.size();
    const found = this.#isRestricted() ? `${this.#formats.count(this.found.size())} of ` : '';
    const base = all > NEWEST ? `, reasons of the newest ${this.#formats.count(NEWEST)}` : '';
    return `${found}${this.#formats.count(all)} dead letter${all === 1 ? '' : 's'}${base}`;
  });
  protected readonly range = computed(() => {
    const last = Math.min(this.first() + LISTED, this.found.size());
    return `${this.#formats.count(this.first() + 1)}–${this.#formats.count(last)}`;
  });
  protected readonly nothing = computed(() => {
    const isThere = this.whole.size() > 0 && this.#isRestricted();
    return this.found.error() ?? (isThere ? 'No dead letter matches.' : 'None: every event could be used.');
  });

  protected readonly exportMenu = signal<HTMLElement | null>(null);
  protected readonly mayExport = computed(() => this.#rights.value()?.mayExport !== false);
  protected readonly isExporting = computed(() => this.#file.state().kind === 'running');
  protected readonly exportTitle = computed(() =>
    this.mayExport() ? 'Export these dead letters' : 'This key may look, and not export',
  );
  readonly #exportText = computed(() =>
    exportText(this.#file.state(), (count) => this.#formats.count(count), 'dead letter'),
  );
  readonly #savedAt = signal(0);
  /** What becomes of the file, while it is news. */
  protected readonly note = computed(() => {
    const isNews = this.isExporting() || this.#clock.now() - this.#savedAt() < NOTE_MS;
    return isNews ? this.#exportText() : '';
  });

  protected readonly copied = signal<string | null>(null);
  readonly #rows = computed(() =>
    recordsOf(this.found.snapshot()).map((row) => ({
      ...letterOf(row, this.#formats),
      when: timeIn(row, 'when'),
    })),
  );
  protected readonly letters = computed<readonly Letter[]>(() => {
    const now = this.#clock.serverNow();
    return this.#rows().map(({ when, ...letter }) => ({ ...letter, ago: agoText(when, now) }));
  });

  constructor() {
    effect(() => {
      const { kind } = this.#file.state();
      if (kind !== 'saved' && kind !== 'failed') return;
      this.#savedAt.set(Date.now());
      this.#notices.say(`Dead letters: ${this.#exportText()}`);
    });
  }

  protected choose(reason: string): void {
    this.first.set(0);
    this.reason.update((chosen) => (chosen === reason ? null : reason));
  }

  protected find(text: string): void {
    this.first.set(0);
    this.search.set(text);
  }

  /** The page begins at its top, where the newest of it is. */
  protected turn(pages: number): void {
    const first = this.first() + pages * LISTED;
    if (first < 0 || first >= this.found.size()) return;
    this.first.set(first);
    this.#element.scrollIntoView({ block: 'start' });
  }

  protected askForExport(tray: HTMLElement): void {
    if (this.mayExport() && !this.isExporting()) this.exportMenu.set(tray);
  }

  /** All that are found, on whatever page. */
  protected export(kind: ExportKind): void {
    const description = {
      table: TABLE,
      sort: NEWEST_FIRST,
      filter: this.#filter(),
      search: this.search(),
    };
    const format = this.#exports.formatOf(kind);
    void this.#file.start(description, (file) => exportName(TABLE, kind, file, this.#formats), format);
  }

  protected async copy(letter: Letter): Promise<void> {
    const isCopied = await copyText(letter.copied);
    this.copied.set(isCopied ? letter.place : null);
    this.#notices.say(isCopied ? 'Dead letter copied' : 'The browser does not allow copying');
  }
}

function letterOf(row: RowRecord, formats: LivejoinFormats): Omit<Letter, 'ago'> {
  const exact = exactMoment(timeIn(row, 'when'), formats);
  const names = ['topic', 'partition', 'offset', 'reason', 'text'] as const;
  const [topic, partition, offset, reason, text] = names.map((name) => exactTextIn(row, name));
  return {
    place: `${textIn(row, 'topic')}, partition ${partition ?? ''}, offset ${offset ?? ''}`,
    reason: textIn(row, 'reason'),
    text: textIn(row, 'text'),
    exact,
    copied: JSON.stringify({
      when: exact.iso,
      topic,
      partition: Number(partition),
      offset: Number(offset),
      reason,
      text,
    }),
  };
}
