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
  linkedSignal,
  output,
  type OutputEmitterRef,
  signal,
  type TemplateRef,
  viewChild,
} from '@angular/core';
import { keyPlaces, type ViewSnapshot } from 'livejoin-client';
import { LivejoinFormats } from '../formats';
import { injectWords } from '../words';
import { CellGestures, placeIn } from './cell-gestures';
import { CellOutlet } from './cell-outlet';
import type { CellContext } from './cell-template';
import { CellWriter, type CellFormatter } from './cell-writer';
import { columnTracks } from './column-layout';
import { GridCursor, HEAD_ROW } from './grid-cursor';
import type { ColumnMark, GridSelection, MenuWish, RowPress, SortPress } from './grid-events';
import { gridHeads, pinnedLefts, pinnedWidth } from './grid-heads';
import { ROW_HEIGHT, type GridPosition } from './grid-position';
import { gridRows, type GridRow } from './grid-rows';
import { copySelection, sameSelection, selectionOf } from './grid-selection';
import { HeadDrag } from './head-drag';
import { attendColumn, contentWidth, headOf, heightOf, leftToReveal } from './head-elements';
import { HeadGestures } from './head-gestures';
import { arrivedRows } from './row-spot';
import { contentHeight } from './scroll-map';
import { ScrollKeeper } from './scroll-keeper';
import { resized, shownColumns, type ColumnChoice } from './shown-columns';
import { steadyWindow } from './steady-window';

/** Before it has been measured. */
const HEAD_HEIGHT = 30;

let grids = 0;

/**
 * Draws the visible rows only. Head and rows sit in a block that sticks to the visible area, above an empty content as
 * high as all rows: fast scrolling can outrun the drawing, but never shows a white gap.
 *
 * One tab stop: the grid keeps the focus and names the active cell, so that it is not lost with a row that leaves.
 */
@Component({
  selector: 'lj-live-grid',
  imports: [CellOutlet],
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
  /** How values are written, where that is not as usual. */
  readonly formatter = input<CellFormatter>(() => null);
  /** How cells are drawn, by the names of their columns. */
  readonly templates = input<ReadonlyMap<string, TemplateRef<CellContext>>>(new Map());
  /** Whether a click on a head is a wish to sort; whoever shows the grid fulfils it. */
  readonly sortable = input(false);
  readonly sortPressed = output<SortPress>();
  /** Whether columns can be moved and resized; whoever shows the grid keeps what comes of it. */
  readonly arrangeable = input(false);
  readonly arranged = output<ColumnChoice>();
  /** Whether heads have a button for a menu; whoever shows the grid shows the menu. */
  readonly menus = input(false);
  readonly menuAsked = output<MenuWish>();
  readonly rowClicked = output<RowPress>();
  readonly rowDoubleClicked = output<RowPress>();
  readonly selected = output<GridSelection>();
  /** Whether texts that a spreadsheet would calculate are copied as they are. */
  readonly copiesFormulas = input(false);
  /** How many cells went to the clipboard; 0 where the selection reaches beyond the rows that are at hand. */
  readonly copied = output<number>();

  private readonly scroller = viewChild.required<ElementRef<HTMLElement>>('scroller');
  private readonly head = viewChild.required<ElementRef<HTMLElement>>('head');
  private readonly line = viewChild.required<ElementRef<HTMLElement>>('line');

  protected readonly words = injectWords();
  protected readonly formats = inject(LivejoinFormats);
  protected readonly activeId = `lj-grid-${String((grids += 1))}-active`;
  protected readonly headRow = HEAD_ROW;
  protected readonly drag = new HeadDrag();
  protected readonly gestures = new HeadGestures(this, this.drag);
  protected readonly cells = new CellGestures(this);
  readonly #headHeight = signal(HEAD_HEIGHT);
  protected readonly scrolling = new ScrollKeeper(
    () => this.position(),
    this.#headHeight,
    () => this.scroller().nativeElement,
  );
  /** By itself, because a snapshot with other rows has the same columns: nothing that depends on them is done again. */
  readonly #tableColumns = computed(() => this.snapshot().columns);
  readonly #keys = computed(() => new Set(keyPlaces(this.#tableColumns())));
  readonly shown = computed(() => shownColumns(this.#tableColumns(), this.columns()));
  readonly #sort = computed(() => this.snapshot().sort);
  readonly #filter = computed(() => this.snapshot().filter);
  readonly #arrived = computed(() => arrivedRows(this.snapshot().rows));
  readonly cursor = new GridCursor(
    () => this.position().space().rows,
    () => this.shown().length,
    this.#arrived,
  );
  protected readonly active = this.cursor.cell;
  protected readonly stickyHeight = computed(() => this.position().bodyHeight() + this.#headHeight());
  protected readonly fullHeight = computed(() => contentHeight(this.position().space()) + this.#headHeight());
  readonly #widened = computed(() => {
    const pulled = this.drag.widened();
    return this.shown().map((column) => ({ ...column, width: pulled?.get(column.name) ?? column.width }));
  });
  protected readonly tracks = computed(() => columnTracks(this.#widened(), this.#keys()));
  protected readonly lefts = computed(() => pinnedLefts(this.#widened()));
  protected readonly lastPinned = computed(() => this.lefts().filter((left) => left !== null).length - 1);
  protected readonly shift = computed(() => -(this.position().top() % 1) * this.position().rowHeight());
  protected readonly heads = computed(() =>
    gridHeads(
      this.shown(),
      { sort: this.#sort(), filter: this.#filter() },
      {
        markOf: this.marks(),
        zone: this.formats.zoneName(),
        isSortable: this.sortable(),
        words: this.words,
      },
    ),
  );
  readonly #writer = computed(
    () => new CellWriter(this.shown(), this.#keys(), this.formats.format(), this.words, this.formatter()),
  );
  protected readonly rows = linkedSignal({
    source: () => ({
      snapshot: this.snapshot(),
      visible: this.position().visible(),
      following: this.position().following(),
      writer: this.#writer(),
    }),
    computation: ({ snapshot, visible, following, writer }, before): readonly GridRow[] => {
      const { rows, size, generation } = snapshot;
      const isKept = following && before?.source.following === true && before.source.writer === writer;
      const drawn = isKept ? before.value : [];
      const isSame = before?.source.snapshot.generation === generation;
      const steady = following ? steadyWindow(visible, size, rows, drawn, isSame) : visible;
      return steady === null ? drawn : gridRows(steady, size, this.#arrived().byIndex, writer, Date.now());
    },
  });
  /** The active cell can only be named while it is drawn. */
  protected readonly activeDescendant = computed(() => {
    const cell = this.active();
    if (cell === null) return null;
    const isDrawn = cell.row === HEAD_ROW || this.rows().some(({ index }) => index === cell.row);
    return isDrawn ? this.activeId : null;
  });
  readonly #selection = computed(() => selectionOf(this.cursor, this.#arrived(), this.shown()), {
    equal: sameSelection,
  });

  constructor() {
    const destroyed = inject(DestroyRef);
    afterNextRender(() => {
      const resizes = new ResizeObserver(this.#measure);
      for (const one of [this.scroller(), this.head(), this.line()]) resizes.observe(one.nativeElement);
      destroyed.onDestroy(() => {
        resizes.disconnect();
        this.cells.up();
      });
    });
    // After the content has got its height, and before a browser notices that the scroll bar does not fit it.
    this.scrolling.attend();
    // Whoever pulls an edge does not move the focus: only that scrolls.
    attendColumn(
      () => this.active()?.column ?? -1,
      (column) => this.#leftToReveal(column),
      () => this.scroller().nativeElement,
    );
    effect(() => {
      if (this.active() !== null) this.selected.emit(this.#selection());
    });
  }

  /** Gives the grid the focus, at the cell where its cursor is. */
  focus(): void {
    this.scroller().nativeElement.focus({ preventScroll: true });
  }

  /** As wide as that column is drawn. */
  widthOf(column: string): number {
    return this.#headOf(column)?.offsetWidth ?? 0;
  }

  fitWidth(column: string): void {
    const width = contentWidth(this.scroller().nativeElement, column);
    this.arranged.emit(resized(this.shown(), new Map([[column, width]])));
  }

  askForMenu(column: number): void {
    const name = this.shown()[column]?.name;
    const beside = this.#headOf(name);
    if (!this.menus() || name === undefined || beside === null) return;
    this.cursor.moveTo({ row: HEAD_ROW, column });
    this.focus();
    this.menuAsked.emit({ column: name, beside });
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

  protected clicked(event: MouseEvent): void {
    const place = placeIn(event.target as Element);
    if (place === null) return;
    if (place.row !== HEAD_ROW) {
      this.#tell(place.row, place.column, this.rowClicked);
    } else if ((event.target as Element).closest('button') !== null) {
      this.askForMenu(place.column);
    } else if (!this.gestures.wasDrag()) {
      this.cursor.moveTo(place);
      this.pressHead(place.column, event.shiftKey);
    }
  }

  protected doubleClicked(event: MouseEvent): void {
    this.gestures.fit(event);
    const place = placeIn(event.target as Element);
    if (place !== null && place.row !== HEAD_ROW) this.#tell(place.row, place.column, this.rowDoubleClicked);
  }

  pressHead(column: number, isAdded: boolean): void {
    const name = this.shown()[column]?.name;
    if (this.sortable() && name !== undefined) this.sortPressed.emit({ column: name, isAdded });
  }

  protected contextAsked(event: MouseEvent): void {
    const place = placeIn(event.target as Element);
    if (!this.menus() || place?.row !== HEAD_ROW) return;
    event.preventDefault();
    this.askForMenu(place.column);
  }

  protected copy(event: ClipboardEvent): void {
    const format = { zone: this.formats.zone(), withFormulas: this.copiesFormulas() };
    const cells = copySelection(event, this.cursor, this.#arrived(), this.shown(), format);
    if (cells !== null) this.copied.emit(cells);
  }

  #tell(index: number, column: number, event: OutputEmitterRef<RowPress>): void {
    const row = this.#arrived().byIndex.get(index);
    const name = this.shown()[column]?.name;
    if (row !== undefined && name !== undefined) event.emit({ row, column: name });
  }

  readonly #measure = (): void => {
    this.position().rowHeight.set(heightOf(this.line()) || ROW_HEIGHT);
    this.#headHeight.set(heightOf(this.head()) || HEAD_HEIGHT);
    this.position().bodyHeight.set(
      Math.max(0, this.scroller().nativeElement.clientHeight - this.#headHeight()),
    );
    this.scrolling.resized();
  };

  #headOf(column: string | undefined): HTMLElement | null {
    return column === undefined ? null : headOf(this.head().nativeElement, column);
  }

  #leftToReveal(column: number): number | null {
    const head = this.#headOf(this.shown()[column]?.name);
    if (head === null || this.lefts()[column] !== null) return null;
    return leftToReveal(this.scroller().nativeElement, head, pinnedWidth(this.#widened()));
  }
}
