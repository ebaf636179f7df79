import { ChangeDetectionStrategy, Component, computed, inject, input, signal } from '@angular/core';
import { ControlDesk } from '../control/control-desk';
import { ControlKey } from '../control/control-key';
import { ControlPanelState } from '../control/control-panel-state';
import { Clock } from '../clock';
import { durationText } from '../duration';
import { SwapWatch } from './swap-watch';

/**
 * The line below the strip: a swap under way, the way back from the one before, what is broken, or else the last news.
 * It is always there and always as high, so that the tables below stay where they are.
 */
@Component({
  selector: 'lj-swap-bar',
  templateUrl: './swap-bar.html',
  styleUrl: './swap-bar.css',
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class SwapBar {
  readonly #desk = inject(ControlDesk);
  readonly #key = inject(ControlKey);
  readonly #panel = inject(ControlPanelState);
  readonly #clock = inject(Clock);
  /** What is said while nothing goes on. */
  readonly usual = input('');
  /** Why there is no connection; it counts more than a swap that may be over by now. */
  readonly trouble = input<string | null>(null);
  /** Why the last message came to nothing; told while nothing else goes on. */
  readonly rejection = input<string | null>(null);
  readonly hasRows = input(true);
  protected readonly state = inject(SwapWatch).state;
  protected readonly kind = computed(() => {
    if (this.trouble() !== null) return 'trouble';
    return this.state()?.kind ?? (this.rejection() === null ? null : 'rejected');
  });
  protected readonly percent = computed(() => {
    const fraction = this.state()?.fraction ?? null;
    return fraction === null ? null : Math.floor(fraction * 100);
  });
  protected readonly detail = computed(() => {
    const { detail = '', until = null } = this.state() ?? {};
    if (until === null) return detail;
    // Rounded up: the last second is still one in which it can be done.
    const seconds = Math.ceil((until - this.#clock.now()) / 1_000);
    return seconds > 0 ? `${detail} for ${durationText(seconds * 1_000)}` : detail;
  });
  protected readonly isSending = signal(false);
  protected readonly problem = signal('');

  protected async rollBack(): Promise<void> {
    this.problem.set('');
    if (this.#key.value() === '') {
      this.problem.set("This needs an operator's key: enter it in the control panel, then roll back.");
      this.#panel.open('control');
      return;
    }
    this.isSending.set(true);
    const answer = await this.#desk.send({ rollback: true });
    this.isSending.set(false);
    if (!answer.ok) this.problem.set(answer.problem);
  }
}
