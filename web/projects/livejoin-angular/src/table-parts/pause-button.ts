import { ChangeDetectionStrategy, Component, input } from '@angular/core';
import type { Pause } from '../table-view/pause';
import { injectWords } from '../words';
import { Glyph } from './glyph';
import { PARTS_STYLE } from './parts-style';

/** Holds the rows on the screen, and lets them go on. */
@Component({
  selector: 'lj-pause-button',
  imports: [Glyph],
  template: `
    <button
      type="button"
      data-testid="pause"
      [title]="pause().isPaused() ? words.resume : words.pauseHint"
      [attr.aria-label]="words.pause(label())"
      [attr.aria-pressed]="pause().isPaused()"
      (click)="pause().toggle()"
    >
      <lj-glyph [path]="pause().isPaused() ? 'M5 3.5 12 8l-7 4.5z' : 'M5.5 3.5v9M10.5 3.5v9'" />
    </button>
  `,
  styles: [
    PARTS_STYLE,
    `
      :host {
        display: contents;
      }
    `,
  ],
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class PauseButton {
  /** What the table is called. */
  readonly label = input.required<string>();
  readonly pause = input.required<Pause>();
  protected readonly words = injectWords();
}
