import { ChangeDetectionStrategy, Component, computed, input, model, output } from '@angular/core';
import { Glyph } from '../glyph';

/** The buttons of a table: sort and filter, pause, export, maximise. */
@Component({
  selector: 'lj-table-tools',
  imports: [Glyph],
  templateUrl: './table-tools.html',
  styles: `
    :host {
      display: flex;
      flex: none;
      gap: 0.125rem;
    }
    .tool {
      padding: 0.3125rem;
    }
    .unneeded {
      visibility: hidden;
    }
    /* The search has a line of its own there. */
    @container (width < 28rem) {
      .unneeded {
        display: none;
      }
    }
    .tool:is(.lit, [aria-pressed='true'], [aria-expanded='true']) {
      color: var(--strand);
      background: color-mix(in srgb, var(--strand) 12%, transparent);
    }
  `,
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class TableTools {
  readonly heading = input.required<string>();
  readonly isChanged = input.required<boolean>();
  /** By a condition on a column, which is not on the screen otherwise. */
  readonly isFiltered = input.required<boolean>();
  readonly isPaused = input.required<boolean>();
  readonly mayExport = input.required<boolean>();
  readonly isExporting = input.required<boolean>();
  readonly isMaximised = input.required<boolean>();
  readonly isEdited = model.required<boolean>();
  readonly cleared = output();
  readonly paused = output();
  readonly exported = output();
  readonly maximised = output();

  protected readonly exportTitle = computed(() => {
    if (!this.mayExport()) return 'This key may look, and not export';
    return this.isPaused() ? 'Export all rows as CSV, as they are now' : 'Export these rows as CSV';
  });
}
