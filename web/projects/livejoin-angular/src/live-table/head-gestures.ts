import type { OutputEmitterRef, Signal } from '@angular/core';
import type { GridCursor } from './grid-cursor';
import { HEAD_ROW } from './grid-cursor';
import type { HeadDrag } from './head-drag';
import { movedTo, resized, type ColumnChoice, type ShownColumn } from './shown-columns';

/** One press of a key makes a column this much wider or narrower. */
const WIDTH_STEP = 16;

/** The grid whose heads these are. */
export interface HeadOwner {
  readonly shown: Signal<readonly ShownColumn[]>;
  readonly cursor: GridCursor;
  readonly arrangeable: Signal<boolean>;
  readonly arranged: Pick<OutputEmitterRef<ColumnChoice>, 'emit'>;
  pressHead(column: number, isAdded: boolean): void;
  /** Makes a column as wide as what is in it. */
  fitWidth(column: string): void;
  /** Somebody wants the menu of that column. */
  askForMenu(column: number): void;
}

/** What pointer and keys do to the heads of a grid: sort, move and resize. */
export class HeadGestures {
  #wasDrag = false;

  constructor(
    private readonly grid: HeadOwner,
    private readonly drag: HeadDrag,
  ) {}

  /** Whether the click that is being told of ends a drag, and so is none. */
  wasDrag(): boolean {
    return this.#wasDrag;
  }

  /** A pointer has come down on a head, or on the edge of one. */
  down(event: PointerEvent): void {
    this.#wasDrag = false;
    const head = (event.target as Element).closest<HTMLElement>('[data-head]');
    const name = head?.dataset['head'];
    if (head === null || name === undefined || event.button !== 0 || !this.grid.arrangeable()) return;
    if ((event.target as Element).closest('button') !== null) return;
    const isEdge = (event.target as Element).classList.contains('edge');
    // A finger on a head scrolls; on the edge, which is for nothing else, it pulls.
    if (!isEdge && event.pointerType === 'touch') return;
    // What has the pointer is told of the click, too: a double click on an edge is one on the edge.
    (isEdge ? (event.target as Element) : head).setPointerCapture(event.pointerId);
    if (isEdge) {
      this.drag.pull(name, event.clientX, widthsUpTo(head));
      this.#wasDrag = true;
      return;
    }
    const others = headsBeside(head).filter((other) => other !== head);
    const middles = others.map((other) => {
      const { left, width } = other.getBoundingClientRect();
      return left + width / 2;
    });
    this.drag.carry(name, event.clientX, middles);
  }

  moved(event: PointerEvent): void {
    this.drag.moved(event.clientX);
  }

  up(): void {
    const widened = this.drag.widened();
    const carried = this.drag.carried();
    this.drag.release();
    if (widened !== null) {
      this.grid.arranged.emit(resized(this.grid.shown(), widened));
    } else if (carried !== null) {
      this.#wasDrag = true;
      this.#move(carried.name, carried.index);
    }
  }

  /** A double click on an edge makes the column as wide as what is in it. */
  fit(event: MouseEvent): void {
    const edge = event.target as Element;
    const name = edge.closest<HTMLElement>('[data-head]')?.dataset['head'];
    if (edge.classList.contains('edge') && name !== undefined) this.grid.fitWidth(name);
  }

  /** Whether the key was meant for the head that has the focus. */
  pressed(event: KeyboardEvent): boolean {
    const column = this.grid.cursor.cell()?.column ?? 0;
    const name = this.grid.shown()[column]?.name;
    if (name === undefined || event.ctrlKey || event.metaKey) return false;
    if ((event.altKey && event.key === 'ArrowDown') || event.key === 'ContextMenu') {
      this.grid.askForMenu(column);
      return true;
    }
    if (event.key === 'Enter' || event.key === ' ') {
      this.grid.pressHead(column, event.shiftKey);
      return true;
    }
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0 || event.altKey === event.shiftKey || !this.grid.arrangeable()) return false;
    if (event.shiftKey) this.#move(name, column + step);
    else {
      const grid = event.currentTarget as Element;
      const head = grid.querySelectorAll<HTMLElement>('[data-head]')[column];
      const width = (head?.offsetWidth ?? 0) + step * WIDTH_STEP;
      this.grid.arranged.emit(resized(this.grid.shown(), new Map([[name, width]])));
    }
    return true;
  }

  /** The focus goes with the column. */
  #move(name: string, index: number): void {
    const last = this.grid.shown().length - 1;
    this.grid.arranged.emit(movedTo(this.grid.shown(), name, index));
    this.grid.cursor.moveTo({ row: HEAD_ROW, column: Math.min(last, Math.max(0, index)) });
  }
}

function headsBeside(head: HTMLElement): HTMLElement[] {
  return [...(head.parentElement?.querySelectorAll<HTMLElement>('[data-head]') ?? [])];
}

function widthsUpTo(head: HTMLElement): ReadonlyMap<string, number> {
  const heads = headsBeside(head);
  const left = heads.slice(0, heads.indexOf(head) + 1);
  return new Map(left.map((one) => [one.dataset['head'] ?? '', one.getBoundingClientRect().width]));
}
