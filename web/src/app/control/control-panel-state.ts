import { Injectable, signal } from '@angular/core';

/** Whether the control panel is open, and who has to get the focus back when it closes. */
@Injectable({ providedIn: 'root' })
export class ControlPanelState {
  readonly #isOpen = signal(false);
  readonly isOpen = this.#isOpen.asReadonly();
  #opener: HTMLElement | null = null;

  open(): void {
    if (this.#isOpen()) return;
    this.#opener = document.activeElement instanceof HTMLElement ? document.activeElement : null;
    this.#isOpen.set(true);
  }

  close(): void {
    this.#isOpen.set(false);
    this.#opener?.focus();
    this.#opener = null;
  }

  toggle(): void {
    if (this.#isOpen()) this.close();
    else this.open();
  }
}
