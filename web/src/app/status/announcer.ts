import { ChangeDetectionStrategy, Component, computed, inject } from '@angular/core';
import { LivenessWatch } from './liveness-watch';
import { NoticeWatch } from './notice-watch';
import { Notices } from './notices';

/** The page's one live region: changes of state, each said once. Nothing in it moves with rows, ages or progress. */
@Component({
  selector: 'lj-announcer',
  template: `<p class="unseen" role="status" data-testid="announcer">{{ text() }}</p>`,
  styles: `
    .unseen {
      position: absolute;
      width: 1px;
      height: 1px;
      margin: 0;
      overflow: hidden;
      clip-path: inset(50%);
      white-space: nowrap;
    }
  `,
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class Announcer {
  readonly #liveness = inject(LivenessWatch);
  readonly #notice = inject(NoticeWatch);
  readonly #notices = inject(Notices);

  protected readonly text = computed(() => {
    const { kind, label } = this.#liveness.value();
    // Whether events wait is a matter of numbers: it may change every other second.
    const state = kind === 'behind' ? 'Live' : label;
    const notice = this.#notice.value()?.title ?? '';
    return [state, notice, this.#notices.latest()].filter((part) => part !== '').join('. ');
  });
}
