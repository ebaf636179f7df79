import { Component, computed, type DoCheck, effect, provideZoneChangeDetection, signal } from '@angular/core';
import { bootstrapApplication } from '@angular/platform-browser';
import {
  type FilterBy,
  injectConnection,
  injectLiveTable,
  instantFrom,
  LiveTableComponent,
  provideLivejoin,
  type RowWindow,
  type SortBy,
  withTimings,
} from 'livejoin-angular';
import { AgGridUsers } from './ag-grid-users';
import { CdkAccounts } from './cdk-accounts';
import { DeclaredTables } from './declared-tables';
import { FormattedAccounts } from './formatted-accounts';
import { RecentChanges } from './recent-changes';
import { RichUsers } from './rich-users';
import { SearchedUsers } from './searched-users';
import { SortableUsers } from './sortable-users';

/** How often Angular has checked the application from its root, for the tests of the zone. */
let checks = 0;

/** Counts in a hook, because development mode runs templates once more than it checks them. */
@Component({ selector: 'app-counter', template: '' })
class Counter implements DoCheck {
  ngDoCheck(): void {
    checks += 1;
  }
}

/** One component that watches, and draws one row: fifty of them are cheap. */
@Component({
  selector: 'app-watcher',
  template: `<span class="watcher">{{ live.rows()[0]?.cells?.[0] }}</span>`,
})
class Watcher {
  protected readonly live = injectLiveTable('users_ui', { window: { first: 0, last: 9 } });
}

/** How many cells have changed in what was delivered. */
let changed = 0;

/** Watches many rows and draws none: what delivering them costs. */
@Component({ selector: 'app-meter', template: '' })
class Meter {
  readonly #live = injectLiveTable('final_ui', { window: { first: 0, last: 499 } });

  constructor() {
    const counted = new Map<number, number>();
    effect(() => {
      for (const { id, changes } of this.#live.rows()) {
        const count = (changes ?? []).reduce((sum, change) => sum + (change?.count ?? 0), 0);
        changed += count - (counted.get(id) ?? 0);
        counted.set(id, count);
      }
    });
  }
}

/** Which rows of `log` are drawn one by one. */
const drawn = signal<{ window: RowWindow; sort: readonly SortBy[]; filter: readonly FilterBy[] }>({
  window: { first: 0, last: 19 },
  sort: [],
  filter: [],
});

/** Draws them with their places: what a test compares with the table. */
@Component({
  selector: 'app-drawn',
  template: `<pre id="drawn" [attr.data-state]="live.state().kind" [attr.data-size]="live.size()">{{ text() }}</pre>`,
})
class Drawn {
  protected readonly live = injectLiveTable('log', {
    window: () => drawn().window,
    sort: () => drawn().sort,
    filter: () => drawn().filter,
  });
  protected readonly text = computed(() =>
    this.live
      .rows()
      .map(({ index, values }) => `${String(index)} ${String(values['userId'])}`)
      .join('\n'),
  );
}

/** What the tests put on the screen, by `stage` in the console. */
@Component({
  selector: 'app-root',
  imports: [
    AgGridUsers,
    CdkAccounts,
    Counter,
    DeclaredTables,
    Drawn,
    FormattedAccounts,
    LiveTableComponent,
    Meter,
    RecentChanges,
    RichUsers,
    SearchedUsers,
    SortableUsers,
    Watcher,
  ],
  template: `
    <p id="connection">{{ connection.state().kind }}</p>
    @for (number of watchers(); track number) {
      <app-watcher />
    }
    @for (name of shown(); track name) {
      @switch (name) {
        @case ('table') {
          <lj-live-table table="final_ui" />
        }
        @case ('formatted') {
          <app-formatted-accounts />
        }
        @case ('searched') {
          <app-searched-users />
        }
        @case ('declared') {
          <app-declared-tables />
        }
        @case ('drawn') {
          <app-drawn />
        }
        @case ('meter') {
          <app-meter />
        }
        @case ('signals') {
          <app-rich-users />
        }
        @case ('cdk') {
          <app-cdk-accounts />
        }
        @case ('grid') {
          <app-sortable-users />
        }
        @case ('changes') {
          <app-recent-changes />
        }
        @case ('ag-grid') {
          <app-ag-grid-users />
        }
      }
    }
    @for (name of tables(); track name) {
      <lj-live-table [table]="name" [filter]="filter()" [attr.data-table]="name" />
    }
    <app-counter />
  `,
})
class Stage {
  protected readonly connection = injectConnection();
  protected readonly watchers = signal<readonly number[]>([]);
  protected readonly shown = signal<readonly string[]>([]);
  protected readonly tables = signal<readonly string[]>([]);
  protected readonly filter = signal<readonly FilterBy[]>([]);

  constructor() {
    Object.assign(window, {
      stage: {
        watch: (count: number) => {
          this.watchers.set(Array.from({ length: count }, (_, number) => number));
        },
        show: (...names: string[]) => {
          this.shown.set(names);
        },
        tables: (...names: string[]) => {
          this.tables.set(names);
        },
        filter: (filter: readonly FilterBy[]) => {
          this.filter.set(filter);
        },
        draw: (first: number, last: number, sort: readonly SortBy[], filter: readonly FilterBy[]) => {
          drawn.set({ window: { first, last }, sort, filter });
        },
        instant: instantFrom,
        connect: (key: string) => {
          this.connection.connect(key);
        },
        checks: () => checks,
        changed: () => changed,
      },
    });
  }
}

const url = new URLSearchParams(location.search).get('url') ?? '';

void bootstrapApplication(Stage, {
  providers: [
    provideZoneChangeDetection({ eventCoalescing: true }),
    provideLivejoin({ url }, withTimings({ lingerMs: 5, aliveWithinMs: 2_000 })),
  ],
});
