import { ChangeDetectionStrategy, Component, input, output } from '@angular/core';
import { injectTyping } from './typing';

/** Finds rows by any text in them, while it is typed. */
@Component({
  selector: 'lj-quick-search',
  template: `
    <input
      type="search"
      placeholder="Search"
      autocomplete="off"
      spellcheck="false"
      data-testid="search"
      [attr.aria-label]="'Search ' + heading()"
      title="Rows with this in any of their texts"
      [value]="text()"
      (input)="search($event)"
      (keydown.enter)="search($event)"
    />
  `,
  styles: `
    :host {
      display: flex;
      flex: 0 1 11rem;
      min-width: 3.5rem;
    }
    input {
      width: 100%;
      min-width: 0;
      padding: 0.25rem 0.625rem;
      font: inherit;
      font-size: 0.8125rem;
      color: inherit;
      background: var(--surface-sunk);
      border: 1px solid var(--line);
      border-radius: 99rem;
    }
    input::placeholder {
      color: var(--ink-faint);
      opacity: 1;
    }
    input:focus-visible {
      outline-offset: 0;
    }
  `,
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class QuickSearch {
  readonly heading = input.required<string>();
  readonly text = input.required<string>();
  readonly searched = output<string>();
  readonly #typing = injectTyping();

  protected search(event: Event): void {
    this.#typing(event, () => {
      this.searched.emit((event.target as HTMLInputElement).value);
    });
  }
}
