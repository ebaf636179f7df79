import { ChangeDetectionStrategy, Component, inject, input, output, viewChild } from '@angular/core';
import { Popover } from 'livejoin-angular';
import { ExportChoice } from './export-choice';
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
      <label>
        <input
          type="checkbox"
          data-testid="formulas-as-text"
          [checked]="!choice.keepsFormulas()"
          (change)="setFormulas($event)"
        />
        <span class="name">Formulas as text</span>
        <span class="hint"
          >An apostrophe before what a spreadsheet would calculate, in CSV and in copied cells</span
        >
      </label>
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
    label {
      display: grid;
      grid-template-columns: auto 1fr;
      gap: 0.125rem 0.5rem;
      align-items: center;
      max-width: 18rem;
      padding: 0.5rem 0.625rem 0.375rem;
      margin-top: 0.375rem;
      font-size: 0.8125rem;
      border-top: 1px solid var(--line);
    }
    label .hint {
      grid-column: 2;
    }
    input {
      margin: 0;
      accent-color: var(--joined);
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
  protected readonly choice = inject(ExportChoice);
  private readonly popover = viewChild.required(Popover);

  /** Closed before, so that the focus is back where it was when the file is begun. */
  protected choose(kind: ExportKind): void {
    this.popover().close();
    this.chosen.emit(kind);
  }

  protected setFormulas({ target }: Event): void {
    this.choice.keepFormulas(!(target as HTMLInputElement).checked);
  }
}
