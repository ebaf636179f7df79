import { Directive, ElementRef, inject, input, type OnDestroy } from '@angular/core';

/**
 * On something that is gone after its own click: who comes by keys goes on at another place, and does not begin again at
 * the top of the page.
 */
@Directive({ selector: '[ljFocusThen]', host: { '(focus)': 'focused()', '(blur)': 'blurred($event)' } })
export class FocusThen implements OnDestroy {
  /** Gives the focus to what is there afterwards. */
  readonly ljFocusThen = input.required<() => void>();
  readonly #element = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;
  #hasFocus = false;

  ngOnDestroy(): void {
    if (!this.#hasFocus) return;
    const then = this.ljFocusThen();
    // What takes its place is drawn by then.
    queueMicrotask(() => {
      const { activeElement: active, body } = this.#element.ownerDocument;
      if (active === null || active === body) then();
    });
  }

  protected focused(): void {
    this.#hasFocus = true;
  }

  /** A browser may call it a blur that the element is taken away. */
  protected blurred({ relatedTarget }: FocusEvent): void {
    if (relatedTarget !== null) {
      this.#hasFocus = false;
      return;
    }
    queueMicrotask(() => {
      if (this.#element.isConnected) this.#hasFocus = false;
    });
  }
}
