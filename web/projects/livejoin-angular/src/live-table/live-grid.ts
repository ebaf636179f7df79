import {
  afterNextRender,
  afterRenderEffect,
  ChangeDetectionStrategy,
  Component,
  computed,
  DestroyRef,
  type ElementRef,
  inject,
  input,
  linkedSignal,
  output,
  viewChild,
} from '@angular/core';
import type { ViewSnapshot } from 'livejoin-client';
import { isNumeric } from './cell-text';
import { columnTracks } from './column-layout';
import { ROW_HEIGHT, type GridPosition } from './grid-position';
import { gridRows, type GridRow } from './grid-rows';
import { contentHeight, isCompressed, scrollTopFor, topRowAt } from './scroll-map';
import { steadyWindow } from './steady-window';

const HEAD_HEIGHT = 30;

/** What a head says about its column beyond the name. */
export interface ColumnMark {
  /** Any CSS colour, for a line below the head. */
  readonly colour: string;
  readonly hint: string;
}

/** Somebody wants the rows sorted by this column: instead of the others, or after them. */
export interface SortPress {
  readonly column: string;
  readonly isAdded: boolean;
}

/**
 * Draws the visible rows only. Head and rows sit in a block that sticks to the visible area, above an empty content as
 * high as all rows: fast scrolling can outrun the drawing, but never shows a white gap.
 */
@Component({
  selector: 'lj-live-grid',
  templateUrl: './live-grid.html',
  styleUrl: './live-grid.css',
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class LiveGrid {
  readonly snapshot = input.required<ViewSnapshot>();
  readonly position = input.required<GridPosition>();
  readonly label = input.required<string>();
  readonly marks = input<(column: string) => ColumnMark | null>(() => null);
  /** Whether a click on a head is a wish to sort; whoever shows the grid fulfils it. */
  readonly sortable = input(false);
  readonly sortPressed = output<SortPress>();

  private readonly scroller = viewChild.required<ElementRef<HTMLElement>>('scroller');

  protected readonly rowHeight = ROW_HEIGHT;
  protected readonly headHeight = HEAD_HEIGHT;
  protected readonly stickyHeight = computed(() => this.position().bodyHeight() + HEAD_HEIGHT);
  protected readonly fullHeight = computed(() => contentHeight(this.position().space()) + HEAD_HEIGHT);
  protected readonly tracks = computed(() => columnTracks(this.snapshot().columns));
  protected readonly shift = computed(() => -(this.position().top() % 1) * ROW_HEIGHT);
  protected readonly heads = computed(() =>
    this.snapshot().columns.map(({ name, kind }) => {
      const mark = this.marks()(name);
      const direction = this.snapshot().sort.find(({ column }) => column === name)?.direction ?? null;
      const hint = mark?.hint ?? name;
      return { name, isNumeric: isNumeric(kind), colour: mark?.colour ?? null, hint, direction };
    }),
  );
  protected readonly rows = linkedSignal({
    source: () => ({
      snapshot: this.snapshot(),
      visible: this.position().visible(),
      following: this.position().following(),
    }),
    computation: ({ snapshot, visible, following }, before): readonly GridRow[] => {
      const { rows, size, columns, generation } = snapshot;
      const drawn = following && before?.source.following === true ? before.value : [];
      const isSame = before?.source.snapshot.generation === generation;
      const steady = following ? steadyWindow(visible, size, rows, drawn, isSame) : visible;
      return steady === null ? drawn : gridRows(steady, size, rows, columns, Date.now());
    },
  });
  /** Where the scroll bar is known to be. Any other place that it reports is a person's doing. */
  #placed = 0;
  /** Where it was before: a thumb that is held at the end reports this one while the end moves on. */
  #placedBefore = 0;

  constructor() {
    const destroyed = inject(DestroyRef);
    afterNextRender(() => {
      const element = this.scroller().nativeElement;
      const resizes = new ResizeObserver(() => {
        this.position().bodyHeight.set(Math.max(0, element.clientHeight - HEAD_HEIGHT));
        this.#placed = element.scrollTop;
      });
      resizes.observe(element);
      destroyed.onDestroy(() => {
        resizes.disconnect();
      });
    });
    // After the content has got its height, and before a browser notices that the scroll bar does not fit it.
    afterRenderEffect(() => {
      const element = this.scroller().nativeElement;
      const wanted = scrollTopFor(this.position().top(), this.position().space());
      // Somebody has moved it and the browser is about to say so: a row that arrives just now must not pull it back.
      if (this.#isMoved() && !this.#isAtEnd()) return;
      // A browser rounds what it is given, so less than a pixel is no difference.
      if (Math.abs(element.scrollTop - wanted) > 1) element.scrollTop = wanted;
      if (this.#isMoved()) this.#placedBefore = this.#placed;
      this.#placed = element.scrollTop;
    });
  }

  protected scrolled(): void {
    if (!this.#isMoved()) return;
    this.#placed = this.scroller().nativeElement.scrollTop;
    const wasEnd = this.position().following() && Math.abs(this.#placed - this.#placedBefore) < 1;
    if (wasEnd || this.#isAtEnd()) this.position().last();
    else this.position().moveTo(topRowAt(this.#placed, this.position().space()));
  }

  /** Where a pixel of the scroll bar is many rows, the wheel still moves by rows. */
  protected turned(event: WheelEvent): void {
    if (event.ctrlKey || event.deltaY === 0) return;
    // At once and not with the scrolling that comes of it, so that a row that arrives between cannot pull back.
    if (event.deltaY < 0 && !this.position().atStart()) this.position().stand();
    if (!isCompressed(this.position().space())) return;
    event.preventDefault();
    const pixels = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * ROW_HEIGHT : event.deltaY;
    this.position().moveBy(pixels / ROW_HEIGHT);
  }

  protected pressedHead(column: string, isAdded: boolean): void {
    if (this.sortable()) this.sortPressed.emit({ column, isAdded });
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

  #isMoved(): boolean {
    const { scrollTop, clientHeight } = this.scroller().nativeElement;
    // Another height pushes the scroll bar before anybody is told of it.
    const isSameHeight = clientHeight - HEAD_HEIGHT === this.position().bodyHeight();
    return isSameHeight && Math.abs(scrollTop - this.#placed) >= 1;
  }

  /** At the end that is drawn, the only one that a person can reach: the table's own may have gone on since. */
  #isAtEnd(): boolean {
    const { scrollTop, scrollHeight, clientHeight } = this.scroller().nativeElement;
    return scrollTop + clientHeight >= scrollHeight - 1;
  }
}
