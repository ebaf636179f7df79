import {
  ChangeDetectionStrategy,
  Component,
  computed,
  type ElementRef,
  input,
  output,
  viewChild,
} from '@angular/core';
import { Glyph, PauseButton, type Pause } from 'livejoin-angular';

/** The buttons of a table: columns, pause, export, maximise. */
@Component({
  selector: 'lj-table-tools',
  imports: [Glyph, PauseButton],
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
    .tool:is([aria-pressed='true'], [aria-expanded='true']) {
      color: var(--strand);
      background: color-mix(in srgb, var(--strand) 12%, transparent);
    }
    @media (pointer: coarse) {
      .tool {
        justify-content: center;
        min-width: 2rem;
        min-height: 2rem;
      }
    }
  `,
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class TableTools {
  readonly heading = input.required<string>();
  readonly pause = input.required<Pause>();
  readonly mayExport = input.required<boolean>();
  readonly isExporting = input.required<boolean>();
  readonly isMaximised = input.required<boolean>();
  /** Whether the list of columns is open. */
  readonly isListed = input.required<boolean>();
  /** Somebody wants the list of columns, beside that element. */
  readonly listed = output<HTMLElement>();
  /** Whether it is asked as what to export. */
  readonly isExportAsked = input.required<boolean>();
  /** Somebody wants a file, and to choose its kind beside that element. */
  readonly exportAsked = output<HTMLElement>();
  readonly maximised = output();

  private readonly columns = viewChild.required<ElementRef<HTMLElement>>('columns');
  private readonly tray = viewChild.required<ElementRef<HTMLElement>>('tray');

  protected readonly exportTitle = computed(() => {
    if (!this.mayExport()) return 'This key may look, and not export';
    return this.pause().isPaused() ? 'Export all rows, as they are now' : 'Export these rows';
  });

  get columnsButton(): HTMLElement {
    return this.columns().nativeElement;
  }

  focusExport(): void {
    this.tray().nativeElement.focus();
  }

  /** Not disabled by its own click, or the focus would be lost. */
  protected askForExport(tray: HTMLElement): void {
    if (this.mayExport() && !this.isExporting()) this.exportAsked.emit(tray);
  }
}
