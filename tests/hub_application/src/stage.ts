import { Component, provideZoneChangeDetection, signal } from '@angular/core';
import { bootstrapApplication } from '@angular/platform-browser';
import { injectConnection, injectLiveTable, LiveTableComponent, provideLivejoin, withTimings } from 'livejoin-angular';
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

/** What the tests put on the screen, by `stage` in the console. */
@Component({
  selector: 'app-root',
  imports: [AgGridUsers, CdkAccounts, LiveTableComponent, RichUsers, Watcher],
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
