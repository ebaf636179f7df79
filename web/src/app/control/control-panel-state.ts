import { Injectable, signal } from '@angular/core';
import { focusControl } from '../focus-control';

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

  /** What had the focus before has it again; where that is gone meanwhile, the button that opens the panel. */
  close(): void {
    if (!this.#isOpen()) return;
    this.#isOpen.set(false);
    this.#opener?.focus();
    const hasFocus = this.#opener !== null && document.activeElement === this.#opener;
    if (!hasFocus || this.#opener === document.body) {
      focusControl(document);
    }
    this.#opener = null;
  }

  toggle(): void {
    if (this.#isOpen()) this.close();
    else this.open('control');
  }
}
