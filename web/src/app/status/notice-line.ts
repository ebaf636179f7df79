import { ChangeDetectionStrategy, Component, computed, ElementRef, inject, signal } from '@angular/core';
import { Glyph } from 'livejoin-angular';
import { ControlDesk } from '../control/control-desk';
import { ControlKey } from '../control/control-key';
import { ControlPanelState } from '../control/control-panel-state';
import { Clock } from '../clock';
import { focusControl } from '../focus-control';
import { FocusThen } from '../focus-then';
import { NoticeWatch } from './notice-watch';

/**
 * Beside the badge: a swap under way, the way back from the one before, what is broken, or what was rejected. Its place
 * is there in any case, so that nothing moves when it comes and goes.
 */
@Component({
  selector: 'lj-notice-line',
  imports: [FocusThen, Glyph],
  templateUrl: './notice-line.html',
  styleUrl: './notice-line.css',
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class NoticeLine {
  readonly #desk = inject(ControlDesk);
  readonly #key = inject(ControlKey);
  readonly #panel = inject(ControlPanelState);
  readonly #clock = inject(Clock);
  protected readonly watch = inject(NoticeWatch);
  protected readonly notice = this.watch.value;
  protected readonly percent = computed(() => {
    const fraction = this.notice()?.fraction ?? null;
    return fraction === null ? null : Math.floor(fraction * 100);
  });
  /** Rounded up: the last second is still one in which it can be done. */
  protected readonly secondsLeft = computed(() => {
    const until = this.notice()?.until ?? null;
    return until === null ? null : Math.max(0, Math.ceil((until - this.#clock.serverNow()) / 1_000));
  });
  protected readonly isSending = signal(false);
  protected readonly problem = signal('');

  readonly #element = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;

  /** What is told in place of what was put away or done, where there is something. */
  protected readonly focusNotice = (): void => {
    const next = this.#element.querySelector<HTMLElement>('p');
    if (next === null) focusControl(this.#element.ownerDocument);
    else next.focus();
  };

  protected async rollBack(): Promise<void> {
    if (this.isSending()) return;
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
