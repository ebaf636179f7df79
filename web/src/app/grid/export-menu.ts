import { ChangeDetectionStrategy, Component, input, output, viewChild } from '@angular/core';
import { Popover } from 'livejoin-angular';
import { EXPORT_KINDS, type ExportKind } from './export-kind';

/** As what rows can be exported. It remembers nothing: the usual one is the first. */
@Component({
  selector: 'lj-export-menu',
  imports: [Popover],
  template: `
    <lj-popover
      data-testid="export-menu"
      [label]="'Export ' + heading()"
      [beside]="beside()"
      (closed)="closed.emit()"
    >
      @for (kind of kinds; track kind.id) {
        <button type="button" [attr.data-testid]="'export-' + kind.id" (click)="choose(kind)">
          <span class="name">{{ kind.name }}</span>
          <span class="hint">{{ kind.hint }}</span>
        </button>
      }
    </lj-popover>
  `,
  styles: `
    button {
      display: grid;
      gap: 0.125rem;
      width: 100%;
      padding: 0.375rem 0.625rem;
      font-size: 0.8125rem;
      text-align: left;
      background: none;
      border: 0;
      border-radius: 0.375rem;
    }
    button:hover {
      background: color-mix(in srgb, var(--ink) 8%, transparent);
    }
    button:focus-visible {
      outline-offset: -2px;
    }
    .name {
      font-weight: 600;
    }
    .hint {
      font-size: 0.75rem;
      color: var(--ink-soft);
    }
  `,
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class ExportMenu {
  /** What is exported. */
  readonly heading = input.required<string>();
  readonly beside = input.required<HTMLElement>();
  readonly chosen = output<ExportKind>();
  readonly closed = output();
  protected readonly kinds = EXPORT_KINDS;
  private readonly popover = viewChild.required(Popover);

  /** Closed before, so that the focus is back where it was when the file is begun. */
  protected choose(kind: ExportKind): void {
    this.popover().close();
    this.chosen.emit(kind);
  }
}
