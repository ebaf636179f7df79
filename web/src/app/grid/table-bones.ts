import { ChangeDetectionStrategy, Component, input } from '@angular/core';

/** Widths of the bars that stand for values, uneven as words are. */
const WIDTHS = [72, 58, 81, 64, 49, 77, 68, 55, 74, 61, 83, 52];

/** Enough for any screen; what has no room is not seen. */
const MOST = 5 * WIDTHS.length;

/** Stands where the rows of a table will be, and says why they are not there yet, where that is known. */
@Component({
  selector: 'lj-table-bones',
  template: `
    <div class="skeleton" data-testid="skeleton" aria-busy="true">
      @if (reason(); as why) {
        <p>{{ why }}</p>
      }
      @for (width of bones; track $index) {
        <div>
          <span class="bone key"></span><span class="bone" [style.width.%]="width / 2"></span
          ><span class="bone number"></span>
        </div>
      }
    </div>
  `,
  styles: `
    :host {
      display: block;
      min-height: 0;
      overflow: clip;
    }
    .skeleton {
      height: 100%;
      padding: 0.375rem 1rem;
      overflow: clip;
      mask-image: linear-gradient(#000 40%, transparent 95%);
    }
    p {
      margin: 0.25rem 0 0.5rem;
      font-size: 0.8125rem;
      color: var(--ink-soft);
    }
    .skeleton div {
      display: flex;
      gap: 1.5rem;
      align-items: center;
      height: 1.75rem;
    }
    .key {
      width: 4.5rem;
    }
    .number {
      width: 3.5rem;
      margin-left: auto;
    }
    .bone {
      animation: wait 1.4s ease-in-out infinite alternate;
    }
    /* Not the other way round, inside of a media query: there, the names of animations are not scoped as keyframes are. */
    @media (prefers-reduced-motion: reduce) {
      .bone {
        animation: none;
      }
    }
    @keyframes wait {
      to {
        opacity: 0.45;
      }
    }
  `,
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class TableBones {
  readonly reason = input<string | null>(null);
  protected readonly bones = Array.from({ length: MOST }, (_, row) => WIDTHS[row % WIDTHS.length] ?? 0);
}
