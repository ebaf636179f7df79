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
import { keyPlaces, type ViewSnapshot } from 'livejoin-client';
import { isNumeric } from './cell-text';
import { columnTracks } from './column-layout';
import { copiedText } from './grid-copy';
import { GridCursor, HEAD_ROW, isInside } from './grid-cursor';
import { ROW_HEIGHT, type GridPosition } from './grid-position';
import { gridRows, type GridRow } from './grid-rows';
import { HeadDrag } from './head-drag';
import { HeadGestures } from './head-gestures';
import { contentHeight, isCompressed, scrollTopFor, topRowAt } from './scroll-map';
import { shownColumns, type ColumnChoice } from './shown-columns';
import { steadyWindow } from './steady-window';

const HEAD_HEIGHT = 30;
const SORT_HINT = 'Click to sort, with Shift to sort by it too';

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

let grids = 0;

/**
 * Draws the visible rows only. Head and rows sit in a block that sticks to the visible area, above an empty content as
 * high as all rows: fast scrolling can outrun the drawing, but never shows a white gap.
 *
 * One tab stop: the grid keeps the focus and names the active cell, so that it is not lost with a row that leaves.
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
  /** More is about to change than rows: what is shown will be another thing in a moment. */
  readonly busy = input(false);
  readonly columns = input<ColumnChoice>(null);
  /** Whether a click on a head is a wish to sort; whoever shows the grid fulfils it. */
  readonly sortable = input(false);
  readonly sortPressed = output<SortPress>();
  /** Whether columns can be moved and resized; whoever shows the grid keeps what comes of it. */
  readonly arrangeable = input(false);
  readonly arranged = output<ColumnChoice>();
  /** How many cells went to the clipboard; 0 where the selection reaches beyond the rows that are at hand. */
  readonly copied = output<number>();

  private readonly scroller = viewChild.required<ElementRef<HTMLElement>>('scroller');

  protected readonly activeId = `lj-grid-${String((grids += 1))}-active`;
  protected readonly rowHeight = ROW_HEIGHT;
  protected readonly headHeight = HEAD_HEIGHT;
  protected readonly headRow = HEAD_ROW;
  protected readonly drag = new HeadDrag();
  protected readonly gestures = new HeadGestures(this, this.drag);
  /** By itself, because a snapshot with other rows has the same columns: nothing that depends on them is done again. */
  readonly #tableColumns = computed(() => this.snapshot().columns);
  readonly #keys = computed(() => new Set(keyPlaces(this.#tableColumns())));
  readonly shown = computed(() => shownColumns(this.#tableColumns(), this.columns()));
  readonly #sort = computed(() => this.snapshot().sort);
  readonly cursor = new GridCursor(
    () => this.position().space().rows,
    () => this.shown().length,
  );
  protected readonly active = this.cursor.cell;
  protected readonly stickyHeight = computed(() => this.position().bodyHeight() + HEAD_HEIGHT);
  protected readonly fullHeight = computed(() => contentHeight(this.position().space()) + HEAD_HEIGHT);
  protected readonly tracks = computed(() => {
    const pulled = this.drag.widened();
    return columnTracks(
      this.shown().map((column) => (column.name === pulled?.name ? { ...column, ...pulled } : column)),
      this.#keys(),
    );
  });
  protected readonly shift = computed(() => -(this.position().top() % 1) * ROW_HEIGHT);
  protected readonly heads = computed(() =>
    this.shown().map(({ name, kind }) => {
      const mark = this.marks()(name);
      const direction = this.#sort().find(({ column }) => column === name)?.direction ?? null;
      const hint = [mark?.hint ?? name, ...(this.sortable() ? [SORT_HINT] : [])].join('\n');
      return { name, isNumeric: isNumeric(kind), colour: mark?.colour ?? null, hint, direction };
    }),
  );
  protected readonly rows = linkedSignal({
    source: () => ({
      snapshot: this.snapshot(),
      visible: this.position().visible(),
      following: this.position().following(),
      shown: this.shown(),
      keys: this.#keys(),
    }),
    computation: ({ snapshot, visible, following, shown, keys }, before): readonly GridRow[] => {
      const { rows, size, generation } = snapshot;
      const isKept = following && before?.source.following === true && before.source.shown === shown;
      const drawn = isKept ? before.value : [];
      const isSame = before?.source.snapshot.generation === generation;
      const steady = following ? steadyWindow(visible, size, rows, drawn, isSame) : visible;
      return steady === null ? drawn : gridRows(steady, size, rows, shown, keys, Date.now());
    },
  });
  /** The active cell can only be named while it is drawn. */
  protected readonly activeDescendant = computed(() => {
    const cell = this.active();
    if (cell === null) return null;
    const isDrawn = cell.row === HEAD_ROW || this.rows().some(({ index }) => index === cell.row);
    return isDrawn ? this.activeId : null;
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
    afterRenderEffect(() => {
      const cell = this.active();
      if (cell !== null) this.#revealColumn(cell.column);
    });
  }

  /** Gives the grid the focus, at the cell where its cursor is. */
  focus(): void {
    this.scroller().nativeElement.focus();
  }

  protected scrolled(): void {
    if (!this.#isMoved()) return;
    this.#placed = this.scroller().nativeElement.scrollTop;
    // At 0 there was no end that could be held: before the first rows came, everything had room.
    const isHeld = this.#placed > 0 && Math.abs(this.#placed - this.#placedBefore) < 1;
    const wasEnd = this.position().following() && isHeld;
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

  /** The first time, the cell that has the focus is one that can be seen. */
  protected focused(): void {
    if (this.active() === null) this.cursor.moveTo({ row: this.position().readable().first, column: 0 });
  }

  protected pressed(event: KeyboardEvent): void {
    const isHead = this.active()?.row === HEAD_ROW;
    if (isHead && this.gestures.pressed(event)) {
      event.preventDefault();
      return;
    }
    if (event.altKey || event.metaKey) return;
    const target = this.cursor.target(event.key, event.ctrlKey, this.position().pageRows());
    if (target === null) return;
    event.preventDefault();
    this.cursor.moveTo(target, event.shiftKey && !isHead);
    if (target.row === 'last') this.position().last();
    else if (target.row >= 0) this.position().reveal(target.row);
  }

  /** With Shift a click selects cells; the browser would mark text from where it was clicked before. */
  protected grabbed(event: MouseEvent): void {
    if (!event.shiftKey) return;
    event.preventDefault();
    this.focus();
  }

  protected clicked(event: MouseEvent): void {
    const cell = (event.target as Element).closest<HTMLElement>('[data-at]');
    const [row, column] = cell?.dataset['at']?.split(' ').map(Number) ?? [];
    if (row === undefined || column === undefined) return;
    if (row !== HEAD_ROW) this.cursor.moveTo({ row, column }, event.shiftKey);
    else if (!this.gestures.wasDrag()) {
      this.cursor.moveTo({ row, column });
      this.pressHead(column, event.shiftKey);
    }
  }

  pressHead(column: number, isAdded: boolean): void {
    const name = this.shown()[column]?.name;
    if (this.sortable() && name !== undefined) this.sortPressed.emit({ column: name, isAdded });
  }

  /** What is marked as text by mouse is the browser's to copy. */
  protected copy(event: ClipboardEvent): void {
    const cell = this.active();
    if (cell === null || cell.row === HEAD_ROW || getSelection()?.isCollapsed === false) return;
    event.preventDefault();
    const range = this.cursor.range() ?? { first: cell, last: cell };
    const text = copiedText(range, this.snapshot().rows, this.shown());
    if (text !== null) event.clipboardData?.setData('text/plain', text);
    const { first, last } = range;
    const cells = (last.row - first.row + 1) * (last.column - first.column + 1);
    this.copied.emit(text === null ? 0 : cells);
  }

  protected isSelected(row: number, column: number): boolean | null {
    const range = this.cursor.range();
    return range === null ? null : isInside(range, row, column);
  }

  #revealColumn(column: number): void {
    const element = this.scroller().nativeElement;
    const head = element.querySelectorAll<HTMLElement>('[role=columnheader]')[column];
    if (head === undefined || element.scrollWidth <= element.clientWidth) return;
    const { offsetLeft, offsetWidth } = head;
    if (offsetLeft < element.scrollLeft) element.scrollLeft = offsetLeft;
    const right = offsetLeft + offsetWidth - element.clientWidth;
    if (right > element.scrollLeft) element.scrollLeft = Math.min(right, offsetLeft);
  }

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
