import { Injectable, signal } from '@angular/core';

export type ControlTab = 'control' | 'letters';

/** Whether the control panel is open and at which tab, and who has to get the focus back when it closes. */
@Injectable({ providedIn: 'root' })
export class ControlPanelState {
  readonly #isOpen = signal(false);
  readonly isOpen = this.#isOpen.asReadonly();
  readonly tab = signal<ControlTab>('control');
  #opener: HTMLElement | null = null;

  open(tab: ControlTab): void {
    this.tab.set(tab);
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
    else this.open('control');
  }
}
