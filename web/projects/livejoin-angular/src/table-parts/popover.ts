import {
  afterNextRender,
  ChangeDetectionStrategy,
  Component,
  DestroyRef,
  ElementRef,
  inject,
  input,
  output,
} from '@angular/core';

/** Pixels between it and whatever it must not touch. */
const GAP = 4;
const MARGIN = 8;
/** As much as it may grow by while somebody is in it, by a message for example. */
const GROWTH = 72;

/**
 * Something small above everything else, beside what it is about. A click elsewhere or Escape closes it, and the focus is
 * then where it was before. Whoever shows it takes it away when it says that it is closed.
 *
 * It is placed once, and stays there while it grows and while what it is beside moves or goes: somebody types in it.
 */
@Component({
  selector: 'lj-popover',
  template: `<ng-content />`,
  styles: `
    :host {
      position: fixed;
      inset: auto;
      width: max-content;
      max-width: min(22rem, 100vw - 1rem);
      max-height: min(36rem, 100dvh - 1rem);
      padding: 0.5rem;
      margin: 0;
      overflow: auto;
      overscroll-behavior: contain;
      font-size: 0.8125rem;
      color: var(--lj-ink, CanvasText);
      background: var(--lj-surface, Canvas);
      border: 1px solid var(--lj-line-strong, GrayText);
      border-radius: 0.625rem;
      box-shadow: 0 12px 32px -12px rgb(0 0 0 / 45%);
    }
  `,
  host: {
    popover: 'auto',
    role: 'dialog',
    '[attr.aria-label]': 'label()',
    '(toggle)': 'toggled($event)',
    '(keydown.escape)': 'escaped($event)',
  },
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class Popover {
  readonly label = input.required<string>();
  readonly beside = input.required<HTMLElement>();
  readonly closed = output();
  readonly #element = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;

  constructor() {
    const destroyed = inject(DestroyRef);
    afterNextRender(() => {
      this.#element.showPopover();
      this.#place();
      const asked = this.#element.querySelector<HTMLElement>('[data-autofocus]');
      (asked ?? this.#element.querySelector<HTMLElement>('button, input, select'))?.focus();
      const place = (): void => {
        this.#place();
      };
      addEventListener('resize', place);
      destroyed.onDestroy(() => {
        removeEventListener('resize', place);
      });
    });
  }

  close(): void {
    this.#element.hidePopover();
  }

  protected toggled({ newState }: ToggleEvent): void {
    if (newState === 'closed') this.closed.emit();
  }

  /** Only this, and nothing that lies below it. */
  protected escaped(event: Event): void {
    event.preventDefault();
    event.stopPropagation();
    this.close();
  }

  #place(): void {
    // An element that is gone is nowhere.
    if (!this.beside().isConnected) return;
    this.#element.style.maxHeight = '';
    const at = this.beside().getBoundingClientRect();
    const { width, height } = this.#element.getBoundingClientRect();
    const { clientWidth, clientHeight } = document.documentElement;
    const below = at.bottom + GAP;
    const above = at.top - GAP - height;
    const lowest = clientHeight - MARGIN - height;
    const fitsBelow = below + GROWTH <= lowest;
    const top = Math.max(MARGIN, fitsBelow || above < MARGIN ? Math.min(below, lowest) : above);
    const left = Math.max(MARGIN, Math.min(at.left, clientWidth - MARGIN - width));
    this.#element.style.top = `${String(top)}px`;
    this.#element.style.left = `${String(left)}px`;
    // What it grows by beyond the edge of the window is scrolled to.
    this.#element.style.maxHeight = `min(36rem, ${String(clientHeight - MARGIN - top)}px)`;
  }
}
