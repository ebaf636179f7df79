import { ChangeDetectionStrategy, Component, computed, input } from '@angular/core';
import type { FilterBy, SortBy } from 'livejoin-client';
import { injectLiveTable, type LiveTable } from '../inject-live-table';
import { GridPosition } from './grid-position';
import { LiveGrid } from './live-grid';

const COUNT = new Intl.NumberFormat('en');

/** A table by its name, with virtual scrolling over all of its rows. It is as high as its element. */
@Component({
  selector: 'lj-live-table',
  imports: [LiveGrid],
  template: `
    <lj-live-grid [snapshot]="live.snapshot()" [position]="position" [label]="label() ?? table()" />
    <p role="status" [attr.data-state]="live.state().kind">{{ note() }}</p>
  `,
  styles: `
    :host {
      display: grid;
      grid-template-rows: minmax(0, 1fr) auto;
      block-size: 24rem;
    }
    p {
      padding: 0.25rem 1rem;
      margin: 0;
      font-size: 0.8125rem;
      color: var(--lj-ink-soft, GrayText);
    }
  `,
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class LiveTableComponent {
  readonly table = input.required<string>();
  /** All columns where it is left out. */
  readonly columns = input<readonly string[]>();
  readonly sort = input<readonly SortBy[]>();
  readonly filter = input<readonly FilterBy[]>();
  /** Text that occurs in any of a row's texts. */
  readonly search = input<string>();
  /** For people who do not see the table; its name where it is left out. */
  readonly label = input<string>();

  protected readonly position: GridPosition = new GridPosition(() => this.live.size());
  /** What is shown, for whoever has the component by a template variable. */
  readonly live: LiveTable = injectLiveTable(this.table, {
    columns: this.columns,
    sort: this.sort,
    filter: this.filter,
    search: this.search,
    window: () => this.position.window(),
  });

  protected readonly note = computed(() => {
    const rows = `${COUNT.format(this.live.size())} rows`;
    const error = this.live.error();
    if (this.live.state().kind === 'loading') return error ?? 'Loading …';
    return error === null ? rows : `${rows}, not up to date: ${error}`;
  });

  constructor() {
    // A log is read from its end; a table in an order of the reader's own from its beginning.
    this.position.first();
  }
}
