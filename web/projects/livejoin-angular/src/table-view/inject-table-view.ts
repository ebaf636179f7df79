import { computed, effect, inject, signal, untracked, type Signal } from '@angular/core';
import { keyPlaces, type Column, type FilterBy } from 'livejoin-client';
import { LivejoinFormats } from '../formats';
import { injectConnection } from '../inject-connection';
import { injectLiveTable, ON_THEIR_WAY, type LiveTable } from '../inject-live-table';
import { GridPosition } from '../live-table/grid-position';
import { shownColumns, simplified, type ColumnChoice, type ShownColumn } from '../live-table/shown-columns';
import { injectWords } from '../words';
import { Pause } from './pause';
import { conditionOf } from './typed-filter';
import { AS_IT_IS, fittingChoice, isChosen, isRestricted, type ViewChoice } from './view-choice';

/** Where a choice is kept: a `ViewAddress`, or whatever an application has for it. */
export interface ChoiceKeeper {
  choiceOf(table: () => string): Signal<ViewChoice>;
  choose(table: string, choice: ViewChoice): void;
}

/** A table as a person has chosen to see it, for a grid and the parts around it. */
export interface TableView {
  readonly choice: Signal<ViewChoice>;
  /** What is shown: sorted, searched, filtered, and held while it is paused. */
  readonly live: LiveTable;
  /** The whole table, without rows. */
  readonly whole: LiveTable;
  readonly position: GridPosition;
  readonly pause: Pause;
  readonly shown: Signal<readonly ShownColumn[]>;
  readonly filter: Signal<readonly FilterBy[]>;
  readonly isRestricted: Signal<boolean>;
  readonly isChosen: Signal<boolean>;
  /** Why the server does not show what was chosen, in words for a person; null where it does. */
  readonly refusal: Signal<string | null>;
  choose(change: Partial<ViewChoice>): void;
  /** Everything as the table comes. */
  reset(): void;
}

/** For as long as the calling component lives. Call it in an injection context. */
export function injectTableView(table: () => string, keeper: ChoiceKeeper = localChoices()): TableView {
  const choice = keeper.choiceOf(table);
  const connection = injectConnection().state;
  const formats = inject(LivejoinFormats);
  // Where nothing is sorted and filtered, it is the same viewport as the other one.
  const whole = injectLiveTable(table, { window: null });
  const kinds = computed(() => new Map(whole.columns().map(({ name, kind }) => [name, kind])));
  const filter = computed(() =>
    choice().filter.flatMap((typed) => conditionOf(typed, kinds().get(typed.column)) ?? []),
  );
  const asked = computed(() => askedFor(whole.columns(), choice().columns));
  // What a link hides is not known to be a column before the table is.
  const isKnown = computed(() => choice().columns === null || whole.columns().length > 0);
  const position: GridPosition = new GridPosition(() => pause.size());
  const live: LiveTable = injectLiveTable(table, {
    columns: () => (asked().length === whole.columns().length ? undefined : asked().map(({ name }) => name)),
    sort: () => choice().sort,
    filter,
    search: () => choice().search,
    window: () => (isKnown() ? position.window() : null),
  });
  const pause: Pause = new Pause(
    () => live.snapshot(),
    () => position.visible(),
    injectWords(),
    (count) => formats.count(count),
  );
  const chosen = computed(() => isChosen(choice()));

  const rowsAskedFor = computed(() => {
    const { sort, filter: typed, search } = choice();
    return JSON.stringify([sort, typed, search]);
  });
  // A log is read from its end; rows in an order of the reader's own from their beginning.
  effect(() => {
    rowsAskedFor();
    untracked(() => {
      pause.resume();
      if (choice().sort.length > 0) position.first();
      else position.follow();
    });
  });
  // What was chosen for other columns, by a link or before something else was joined, would never be answered.
  effect(() => {
    if (whole.state().kind !== 'live') return;
    const fitting = fittingChoice(choice(), whole.columns());
    if (fitting === choice()) return;
    untracked(() => {
      keeper.choose(table(), fitting);
    });
  });

  const choose = (change: Partial<ViewChoice>): void => {
    const { columns, ...rest } = { ...untracked(choice), ...change };
    keeper.choose(untracked(table), { ...rest, columns: simplified(untracked(whole.columns), columns) });
  };
  return {
    choice,
    live,
    whole,
    position,
    pause,
    filter,
    // Not those that the rows on the screen have: one that is shown again is on its way.
    shown: computed(() => shownColumns(asked(), choice().columns)),
    isRestricted: computed(() => isRestricted(choice())),
    isChosen: chosen,
    refusal: computed(() => {
      const state = live.state();
      const isAsked = chosen() && connection().kind === 'live' && whole.state().kind === 'live';
      return isAsked && state.kind !== 'live' && state.reason !== ON_THEIR_WAY ? state.reason : null;
    }),
    choose,
    reset: () => {
      choose(AS_IT_IS);
    },
  };
}

/**
 * Those that are shown, and those by which rows are recognised, in the order of the table: whoever moves a column asks
 * for nothing.
 */
function askedFor(columns: readonly Column[], choice: ColumnChoice): readonly Column[] {
  const shown = new Set(shownColumns(columns, choice).map(({ name }) => name));
  const keys = new Set(keyPlaces(columns));
  return columns.filter(({ name }, place) => shown.has(name) || keys.has(place));
}

/** Kept for as long as whoever shows the table lives. */
function localChoices(): ChoiceKeeper {
  const choice = signal<ViewChoice>(AS_IT_IS);
  return {
    choiceOf: () => choice.asReadonly(),
    choose: (_, next) => {
      choice.set(next);
    },
  };
}
