import { ChangeDetectionStrategy, Component, input } from '@angular/core';

/** A drawing beside or instead of a word. The button around it has the name. */
@Component({
  selector: 'lj-glyph',
  template: `<svg viewBox="0 0 16 16" aria-hidden="true"><path [attr.d]="path()" /></svg>`,
  styles: `
    :host {
      display: inline-flex;
      flex: none;
      width: 1rem;
      height: 1rem;
    }

    svg {
      fill: none;
      stroke: currentcolor;
      stroke-width: 1.6;
      stroke-linecap: round;
      stroke-linejoin: round;
    }
  `,
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class Glyph {
  /** As SVG writes it, on 16 by 16. */
  readonly path = input.required<string>();
}
