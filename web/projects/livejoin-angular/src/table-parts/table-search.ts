import { ChangeDetectionStrategy, Component, type ElementRef, input, output, viewChild } from '@angular/core';
import { injectWords } from '../words';
import { PARTS_STYLE } from './parts-style';
import { injectTyping } from './typing';

/** Finds rows by any text in them, while it is typed. */
@Component({
  selector: 'lj-table-search',
  template: `
    <input
      #field
      type="search"
      autocomplete="off"
      spellcheck="false"
      data-testid="search"
      [placeholder]="words.search"
      [attr.aria-label]="words.searchIn(label())"
      [title]="words.searchHint"
      [value]="text()"
      (input)="search($event)"
      (keydown.enter)="search($event)"
    />
  `,
  styles: [
    PARTS_STYLE,
    `
      :host {
        display: flex;
        flex: 0 1 11rem;
        min-width: 5rem;
      }
      input {
        width: 100%;
      }
      input:not([type='checkbox']) {
        border-radius: 99rem;
      }
    `,
  ],
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class TableSearch {
  /** What the table is called. */
  readonly label = input.required<string>();
  readonly text = input.required<string>();
  readonly searched = output<string>();
  protected readonly words = injectWords();
  private readonly field = viewChild.required<ElementRef<HTMLInputElement>>('field');
  readonly #typing = injectTyping();

  focus(): void {
    this.field().nativeElement.focus();
  }

  protected search(event: Event): void {
    this.#typing(event, () => {
      this.searched.emit((event.target as HTMLInputElement).value);
    });
  }
}
