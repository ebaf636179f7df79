import {
  afterNextRender,
  ChangeDetectionStrategy,
  Component,
  computed,
  DestroyRef,
  effect,
  type ElementRef,
  inject,
  input,
  viewChild,
} from '@angular/core';
import type { ViewSnapshot } from 'livejoin-angular';
import { isNumeric } from './cell-text';
import { columnTracks } from './column-layout';
import { ColumnOrigin, type Origin } from './column-origin';
import { ROW_HEIGHT, type GridPosition } from './grid-position';
import { gridRows } from './grid-rows';
import { contentHeight, isCompressed, scrollTopFor, topRowAt } from './scroll-map';

const HEAD_HEIGHT = 30;

const ORIGIN_HINTS: Readonly<Record<Origin, string>> = {
  users: 'from users',
  accounts: 'from accounts',
  joined: 'in both: what the rows are joined by',
};

/**
 * Draws the visible rows only. Head and rows sit in a block that sticks to the visible area, above an empty content as
 * high as all rows: fast scrolling can outrun the drawing, but never shows a white gap.
 */
@Component({
  selector: 'lj-live-grid',
  templateUrl: './live-grid.html',
  styleUrl: './live-grid.css',
  providers: [ColumnOrigin],
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class LiveGrid {
  readonly snapshot = input.required<ViewSnapshot>();
  readonly position = input.required<GridPosition>();
  readonly label = input.required<string>();
  readonly showOrigin = input(false);

  readonly #origin = inject(ColumnOrigin);
  private readonly scroller = viewChild.required<ElementRef<HTMLElement>>('scroller');

  protected readonly rowHeight = ROW_HEIGHT;
  protected readonly headHeight = HEAD_HEIGHT;
  protected readonly stickyHeight = computed(() => this.position().bodyHeight() + HEAD_HEIGHT);
  protected readonly fullHeight = computed(() => contentHeight(this.position().space()) + HEAD_HEIGHT);
  protected readonly tracks = computed(() => columnTracks(this.snapshot().columns));
  protected readonly shift = computed(() => -(this.position().top() % 1) * ROW_HEIGHT);
  protected readonly heads = computed(() =>
    this.snapshot().columns.map(({ name, kind }) => {
      const origin = this.showOrigin() ? this.#origin.of(name) : null;
      const hint = origin === null ? name : ORIGIN_HINTS[origin];
      return { name, isNumeric: isNumeric(kind), origin, hint };
    }),
  );
  protected readonly rows = computed(() => {
    const { rows, size, columns } = this.snapshot();
    return gridRows(this.position().visible(), size, rows, columns, Date.now());
  });

  constructor() {
    const destroyed = inject(DestroyRef);
    afterNextRender(() => {
      const element = this.scroller().nativeElement;
      const resizes = new ResizeObserver(() => {
        this.position().bodyHeight.set(Math.max(0, element.clientHeight - HEAD_HEIGHT));
      });
      resizes.observe(element);
      destroyed.onDestroy(() => {
        resizes.disconnect();
      });
    });
    effect(() => {
      const element = this.scroller().nativeElement;
      const wanted = this.#scrollTop();
      // The content must have its height before the place in it can be set.
      requestAnimationFrame(() => {
        if (wanted === this.#scrollTop() && !this.#isAt(element.scrollTop)) element.scrollTop = wanted;
      });
    });
  }

  protected scrolled(): void {
    const { scrollTop } = this.scroller().nativeElement;
    if (!this.#isAt(scrollTop)) this.position().moveTo(topRowAt(scrollTop, this.position().space()));
  }

  /** Where a pixel of the scroll bar is many rows, the wheel still moves by rows. */
  protected turned(event: WheelEvent): void {
    if (event.ctrlKey || event.deltaY === 0 || !isCompressed(this.position().space())) return;
    event.preventDefault();
    const pixels = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * ROW_HEIGHT : event.deltaY;
    this.position().moveBy(pixels / ROW_HEIGHT);
  }

  protected pressed(event: KeyboardEvent): void {
    const move = this.#moves[event.key];
    if (move === undefined || event.altKey || event.metaKey) return;
    event.preventDefault();
    move(this.position());
  }

  readonly #moves: Readonly<Partial<Record<string, (position: GridPosition) => void>>> = {
    ArrowUp: (position) => {
      position.moveBy(-1);
    },
    ArrowDown: (position) => {
      position.moveBy(1);
    },
    PageUp: (position) => {
      position.previous();
    },
    PageDown: (position) => {
      position.next();
    },
    Home: (position) => {
      position.first();
    },
    End: (position) => {
      position.last();
    },
  };

  #scrollTop(): number {
    return scrollTopFor(this.position().top(), this.position().space());
  }

  /** A browser rounds what it is given, so its own echo is not always the same number. */
  #isAt(scrollTop: number): boolean {
    return Math.abs(scrollTop - this.#scrollTop()) <= 1;
  }
}
