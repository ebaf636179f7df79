import { ChangeDetectionStrategy, Component, inject } from '@angular/core';
import { LivejoinFormats } from '../formats';
import { injectWords } from '../words';
import { PARTS_STYLE } from './parts-style';

/** In which zone all times of the application are: for the menu of a column of times, and wherever else there are any. */
@Component({
  selector: 'lj-zone-switch',
  template: `
    <div role="group" [attr.aria-label]="words.zone">
      <span>{{ words.zone }}</span>
      <button
        type="button"
        data-testid="zone-utc"
        [attr.aria-pressed]="formats.zone() === 'UTC'"
        (click)="formats.chooseZone('UTC')"
      >
        UTC
      </button>
      <button
        type="button"
        data-testid="zone-local"
        [attr.aria-pressed]="formats.zone() === 'local'"
        (click)="formats.chooseZone('local')"
      >
        {{ words.localZone(formats.localZone) }}
      </button>
    </div>
  `,
  styles: [
    PARTS_STYLE,
    `
      div {
        display: flex;
        flex-wrap: wrap;
        gap: 0.125rem;
        align-items: center;
      }
      span {
        padding-inline: 0.5rem;
        font-size: 0.8125rem;
        color: var(--lj-ink-soft, inherit);
      }
      button {
        padding: 0.25rem 0.5rem;
      }
    `,
  ],
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class ZoneSwitch {
  protected readonly words = injectWords();
  protected readonly formats = inject(LivejoinFormats);
}
