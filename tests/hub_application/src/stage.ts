import { Component, effect, provideZoneChangeDetection, signal } from '@angular/core';
import { bootstrapApplication } from '@angular/platform-browser';
import {
  injectConnection,
  injectLiveTable,
  LiveTableComponent,
  provideLivejoin,
  withTimings,
} from 'livejoin-angular';
import { AgGridUsers } from './ag-grid-users';
import { CdkAccounts } from './cdk-accounts';
import { RichUsers } from './rich-users';

/** Says how often Angular has checked the application, for the tests of the zone. */
let checks = 0;

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

/** What the tests put on the screen, by `stage` in the console. */
@Component({
  selector: 'app-root',
  imports: [AgGridUsers, CdkAccounts, LiveTableComponent, Meter, RichUsers, Watcher],
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
        @case ('meter') {
          <app-meter />
        }
        @case ('signals') {
          <app-rich-users />
        }
        @case ('cdk') {
          <app-cdk-accounts />
        }
        @case ('ag-grid') {
          <app-ag-grid-users />
        }
      }
    }
    {{ checked() }}
  `,
})
class Stage {
  protected readonly connection = injectConnection();
  protected readonly watchers = signal<readonly number[]>([]);
  protected readonly shown = signal<readonly string[]>([]);

  constructor() {
    Object.assign(window, {
      stage: {
        watch: (count: number) => {
          this.watchers.set(Array.from({ length: count }, (_, number) => number));
        },
        show: (...names: string[]) => {
          this.shown.set(names);
        },
        connect: (key: string) => {
          this.connection.connect(key);
        },
        checks: () => checks,
        changed: () => changed,
      },
    });
  }

  protected checked(): string {
    checks += 1;
    return '';
  }
}

const url = new URLSearchParams(location.search).get('url') ?? '';

void bootstrapApplication(Stage, {
  providers: [
    provideZoneChangeDetection({ eventCoalescing: true }),
    provideLivejoin({ url }, withTimings({ lingerMs: 20 })),
  ],
});
