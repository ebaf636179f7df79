import type { GridCursor } from './grid-cursor';
import { HEAD_ROW, type CellPlace } from './grid-cursor';
import type { GridPosition } from './grid-position';

/** The grid whose cells these are. */
export interface CellOwner {
  readonly cursor: GridCursor;
  position(): GridPosition;
  focus(): void;
}

/** Rows per frame for every row's height that the pointer is beyond the edge. */
const SCROLL_PACE = 0.15;

/** What a pointer does to the cells of a grid: select them, as in a spreadsheet. A finger scrolls instead. */
export class CellGestures {
  #isSelecting = false;
  #frame: number | null = null;
  #column = 0;
  /** How far the pointer is above the first row, or below the last one. */
  #beyond = 0;

  constructor(private readonly grid: CellOwner) {}

  down(event: PointerEvent): void {
    const place = placeIn(event.target as Element);
    if (place === null || place.row === HEAD_ROW || event.button !== 0 || event.pointerType === 'touch')
      return;
    if ((event.target as Element).closest('a, button, input, select, textarea') !== null) return;
    this.#isSelecting = true;
    this.#column = place.column;
    this.grid.cursor.moveTo(place, event.shiftKey);
    this.grid.focus();
  }

  moved(event: PointerEvent): void {
    if (!this.#isSelecting) return;
    if (event.buttons === 0) {
      this.up();
      return;
    }
    const scroller = event.currentTarget as HTMLElement;
    // Not before it moves, because the click of whoever does not move is one on the cell.
    scroller.setPointerCapture(event.pointerId);
    const body = scroller.getBoundingClientRect();
    const top = body.bottom - this.grid.position().bodyHeight();
    this.#beyond = event.clientY < top ? event.clientY - top : Math.max(0, event.clientY - body.bottom);
    const x = Math.min(body.right - 2, Math.max(body.left + 2, event.clientX));
    const y = Math.min(body.bottom - 2, Math.max(top + 2, event.clientY));
    const place = placeIn(document.elementFromPoint(x, y));
    if (place !== null && place.row !== HEAD_ROW) this.#extendTo(place);
    if (this.#beyond !== 0) this.#frame ??= requestAnimationFrame(this.#scroll);
  }

  up(): void {
    this.#isSelecting = false;
    this.#beyond = 0;
    if (this.#frame !== null) cancelAnimationFrame(this.#frame);
    this.#frame = null;
  }

  #extendTo(place: CellPlace): void {
    this.#column = place.column;
    const cell = this.grid.cursor.cell();
    if (cell?.row !== place.row || cell.column !== place.column) this.grid.cursor.moveTo(place, true);
  }

  /** Goes on while the pointer rests beyond the edge. */
  readonly #scroll = (): void => {
    this.#frame = null;
    if (!this.#isSelecting || this.#beyond === 0) return;
    const position = this.grid.position();
    position.moveBy((this.#beyond / position.rowHeight()) * SCROLL_PACE);
    const { first, last } = position.readable();
    this.#extendTo({ row: this.#beyond < 0 ? first : last, column: this.#column });
    this.#frame = requestAnimationFrame(this.#scroll);
  };
}

/** The cell that an element is in; null where it is in none. */
export function placeIn(element: Element | null): CellPlace | null {
  const at = element?.closest<HTMLElement>('[data-at]')?.dataset['at'];
  const [row, column] = at?.split(' ').map(Number) ?? [];
  return row === undefined || column === undefined ? null : { row, column };
}
