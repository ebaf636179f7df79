// @vitest-environment happy-dom
import { signal } from '@angular/core';
import { beforeEach, describe, expect, it } from 'vitest';
import { GridCursor, HEAD_ROW } from '../../src/live-table/grid-cursor';
import { HeadDrag } from '../../src/live-table/head-drag';
import { HeadGestures } from '../../src/live-table/head-gestures';
import { shownColumns, type ColumnChoice } from '../../src/live-table/shown-columns';

const WIDTH = 100;

describe('HeadGestures', () => {
  const arrangeable = signal(true);
  let arranged: ColumnChoice[];
  let pressed: [number, boolean][];
  let fitted: string[];
  let captured: Element[];
  let asked: number[];
  let cursor: GridCursor;
  let gestures: HeadGestures;
  let grid: HTMLElement;

  beforeEach(() => {
    arranged = [];
    pressed = [];
    fitted = [];
    captured = [];
    asked = [];
    arrangeable.set(true);
    const shown = signal(
      shownColumns(
        ['userId', 'name', 'age'].map((name) => ({ name, kind: 'text' })),
        null,
      ),
    );
    cursor = new GridCursor(
      () => 10,
      () => 3,
    );
    const owner = {
      shown,
      cursor,
      arrangeable,
      arranged: { emit: (choice: ColumnChoice) => arranged.push(choice) },
      pressHead: (column: number, isAdded: boolean) => pressed.push([column, isAdded]),
      fitWidth: (column: string) => fitted.push(column),
      askForMenu: (column: number) => asked.push(column),
    };
    gestures = new HeadGestures(owner, new HeadDrag());
    grid = document.createElement('div');
    grid.innerHTML = shown()
      .map(({ name }) => `<div data-head="${name}"><i class="edge"></i></div>`)
      .join('');
    [...grid.children].forEach((head, number) => {
      Object.defineProperty(head, 'offsetWidth', { value: WIDTH });
      head.getBoundingClientRect = () => new DOMRect(number * WIDTH, 0, WIDTH, 30);
      for (const one of [head, ...head.children]) one.setPointerCapture = () => captured.push(one);
    });
  });

  /** What an element is told when a pointer comes down on it there. */
  function down(target: Element | null | undefined, clientX: number, pointerType = 'mouse'): void {
    gestures.down({ target, clientX, pointerType, pointerId: 1, button: 0 } as unknown as PointerEvent);
  }

  function key(name: string, modifiers: Partial<KeyboardEvent> = {}): boolean {
    const plain = { altKey: false, ctrlKey: false, metaKey: false, shiftKey: false };
    return gestures.pressed({ key: name, currentTarget: grid, ...plain, ...modifiers } as KeyboardEvent);
  }

  function names(choice: ColumnChoice | undefined): string[] | undefined {
    return choice?.map(({ name }) => name);
  }

  it('carry a head to another place, and the focus goes with it', () => {
    down(grid.children[2], 250);
    gestures.moved({ clientX: 20 } as PointerEvent);
    gestures.up();
    expect(arranged.map(names)).toEqual([['age', 'userId', 'name']]);
    expect(cursor.cell()).toEqual({ row: HEAD_ROW, column: 0 });
    expect(gestures.wasDrag()).toBe(true);
  });

  it('leave a click to be a click', () => {
    down(grid.children[1], 150);
    gestures.up();
    expect([arranged, gestures.wasDrag()]).toEqual([[], false]);
  });

  it('pull an edge, which stays under the pointer, and fit the width at a double click', () => {
    const edge = grid.children[1]?.querySelector('.edge');
    down(edge, 200);
    gestures.moved({ clientX: 230 } as PointerEvent);
    gestures.up();
    expect(captured, 'so that a double click on it is told of it').toEqual([edge]);
    // What is left of the edge keeps its width, what is right of it shares what is left over.
    expect(arranged[0]).toEqual([
      { name: 'userId', width: WIDTH },
      { name: 'name', width: WIDTH + 30 },
      { name: 'age', width: null },
    ]);
    gestures.fit({ target: edge } as unknown as MouseEvent);
    gestures.fit({ target: grid.children[1] } as unknown as MouseEvent);
    expect(fitted).toEqual(['name']);
  });

  it('let a finger scroll over a head, and pull an edge', () => {
    down(grid.children[2], 250, 'touch');
    gestures.moved({ clientX: 20 } as PointerEvent);
    gestures.up();
    expect(arranged).toEqual([]);
    down(grid.children[2]?.querySelector('.edge'), 300, 'touch');
    gestures.moved({ clientX: 310 } as PointerEvent);
    gestures.up();
    expect(arranged).toHaveLength(1);
  });

  it('leave the button of a menu alone, and open the menu by keys', () => {
    const head = grid.children[1];
    head?.insertAdjacentHTML('beforeend', '<button></button>');
    down(head?.querySelector('button'), 150);
    gestures.moved({ clientX: 20 } as PointerEvent);
    gestures.up();
    expect(arranged).toEqual([]);
    cursor.moveTo({ row: HEAD_ROW, column: 1 });
    expect([key('ArrowDown', { altKey: true }), key('ContextMenu'), key('ArrowDown')]).toEqual([
      true,
      true,
      false,
    ]);
    expect(asked).toEqual([1, 1]);
  });

  it('sort, move and resize by keys', () => {
    cursor.moveTo({ row: HEAD_ROW, column: 1 });
    expect([key('Enter'), key(' ', { shiftKey: true })]).toEqual([true, true]);
    expect(pressed).toEqual([
      [1, false],
      [1, true],
    ]);
    expect(key('ArrowRight', { altKey: true })).toBe(true);
    expect(arranged[0]?.[1]).toEqual({ name: 'name', width: WIDTH + 16 });
    expect(key('ArrowLeft', { shiftKey: true })).toBe(true);
    expect(names(arranged[1])).toEqual(['name', 'userId', 'age']);
    expect(key('ArrowRight')).toBe(false);
    expect(key('Enter', { ctrlKey: true })).toBe(false);
  });

  it('change nothing where columns are not to be arranged', () => {
    arrangeable.set(false);
    cursor.moveTo({ row: HEAD_ROW, column: 1 });
    down(grid.children[2], 250);
    gestures.moved({ clientX: 20 } as PointerEvent);
    gestures.up();
    expect([key('ArrowLeft', { shiftKey: true }), arranged]).toEqual([false, []]);
  });
});
