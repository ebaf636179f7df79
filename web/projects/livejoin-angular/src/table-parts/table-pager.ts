import { ChangeDetectionStrategy, Component, computed, inject, input, output } from '@angular/core';
import { LivejoinFormats } from '../formats';
import type { GridPosition } from '../live-table/grid-position';
import { injectWords } from '../words';
import { Glyph } from './glyph';
import { PARTS_STYLE } from './parts-style';

const PAGES = [
  { name: 'firstPage', to: 'first', isBack: true, glyph: 'M12 3.5 7.5 8l4.5 4.5M4 3.5v9' },
  { name: 'previousPage', to: 'previous', isBack: true, glyph: 'M10 3.5 5.5 8l4.5 4.5' },
  { name: 'nextPage', to: 'next', isBack: false, glyph: 'M6 3.5 10.5 8 6 12.5' },
  { name: 'lastPage', to: 'last', isBack: false, glyph: 'M4 3.5 8.5 8 4 12.5M12 3.5v9' },
] as const;

/** Where in the table the rows on the screen are, and the ways to other ones. */
@Component({
  selector: 'lj-table-pager',
  imports: [Glyph],
  templateUrl: './table-pager.html',
  styles: [
    PARTS_STYLE,
    `
      :host {
        display: block;
        container-type: inline-size;
      }
      nav {
        display: flex;
        align-items: center;
        min-height: 2.25rem;
        padding: 0.125rem 0.375rem 0.125rem 1rem;
        border-top: 1px solid var(--lj-line, color-mix(in srgb, currentcolor 15%, transparent));
      }
      .space {
        flex: 1;
      }
      .range,
      .note {
        min-width: 0;
        overflow: hidden;
        font-size: 0.8125rem;
        font-variant-numeric: tabular-nums;
        color: var(--lj-ink-soft, inherit);
        text-overflow: ellipsis;
        white-space: nowrap;
      }
      .note {
        font-weight: 600;
      }
      .told {
        display: flex;
        align-items: center;
        min-width: 0;
      }
      .warning {
        color: var(--lj-attention, inherit);
      }
      .jump input {
        width: 4.25rem;
        margin-inline: 0.375rem;
        font-variant-numeric: tabular-nums;
        appearance: textfield;
      }
      .jump input::-webkit-inner-spin-button {
        display: none;
      }
      .follow {
        padding: 0.25rem 0.5rem;
        margin-right: 0.25rem;
      }
      @container (width < 28rem) {
        nav {
          padding-left: 0.75rem;
        }
        .follow {
          padding: 0.3125rem;
          margin-right: 0;
        }
        .follow .name {
          position: absolute;
          width: 1px;
          height: 1px;
          overflow: hidden;
          clip-path: inset(50%);
        }
        .jump input {
          width: 3.25rem;
        }
        /* There is room for what is said, or for the place. */
        nav:is(:has(.note), :has(.told:not(:empty))) .jump,
        nav:has(.told:not(:empty)) .range {
          display: none;
        }
      }
      /* With very large text the place has a line of its own, and a row is reached by scrolling. */
      @container (width < 18rem) {
        nav {
          flex-wrap: wrap;
        }
        .jump,
        .space {
          display: none;
        }
        .range {
          flex: 1 0 100%;
        }
      }
      .turning lj-glyph {
        animation: turn 0.6s linear infinite;
      }
      /* Not the other way round, inside of a media query: there, the names of animations are not scoped. */
      @media (prefers-reduced-motion: reduce) {
        .turning lj-glyph {
          animation: none;
        }
      }
      @keyframes turn {
        to {
          transform: rotate(1turn);
        }
      }
    `,
  ],
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class TablePager {
  /** What the table is called. */
  readonly label = input.required<string>();
  readonly position = input.required<GridPosition>();
  readonly size = input.required<number>();
  /** Said instead of the place, for as long as it matters. */
  readonly note = input('');
  readonly isWarning = input(false);
  readonly isRefreshing = input(false);
  readonly jumped = output<number>();
  readonly refreshed = output();

  protected readonly words = injectWords();
  readonly #formats = inject(LivejoinFormats);
  protected readonly pages = PAGES;
  protected readonly range = computed(() => {
    if (this.size() === 0) return '';
    const { first, last } = this.position().readable();
    return `${this.#formats.count(first + 1)}–${this.#formats.count(last + 1)}`;
  });

  /** A button that leads nowhere keeps the focus, and does nothing. */
  protected isIdle({ isBack }: (typeof PAGES)[number]): boolean {
    return isBack ? this.position().atStart() : this.position().atEnd();
  }

  protected turn(page: (typeof PAGES)[number]): void {
    if (!this.isIdle(page)) this.position()[page.to]();
  }

  protected jump(event: Event): void {
    event.preventDefault();
    const field = (event.currentTarget as HTMLFormElement).elements.namedItem('row') as HTMLInputElement;
    const row = Math.min(this.size(), Math.max(1, Math.round(Number(field.value))));
    if (field.value === '' || !Number.isFinite(row) || this.size() === 0) return;
    this.jumped.emit(row - 1);
    field.value = '';
  }
}
