import { ChangeDetectionStrategy, Component, computed, inject } from '@angular/core';
import { Access } from '../access/access';
import { connectionText } from './connection-text';
import { Notices } from './notices';
import { SwapWatch } from './swap-watch';

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
  readonly #access = inject(Access);
  readonly #swap = inject(SwapWatch);
  readonly #notices = inject(Notices);

  protected readonly text = computed(() => {
    const connection = connectionText(this.#access.state(), 0).label;
    const swap = this.#swap.state()?.title;
    return [connection, swap ?? '', this.#notices.latest()].filter((part) => part !== '').join('. ');
  });
}
