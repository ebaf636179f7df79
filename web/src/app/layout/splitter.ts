import { ChangeDetectionStrategy, Component, computed, inject, input } from '@angular/core';
import { LEAST, MOST, Split, type SplitName } from './split';

const STEP = 2;

/** The line between two parts of the page, to be moved by pointer and by keys. A double click resets it. */
@Component({
  selector: 'lj-splitter',
  template: '',
  styles: `
    :host {
      position: relative;
      touch-action: none;
      border-radius: 99rem;
    }
    :host([aria-orientation='vertical']) {
      cursor: col-resize;
    }
    :host([aria-orientation='horizontal']) {
      cursor: row-resize;
    }
    :host::after {
      position: absolute;
      inset: calc(50% - 1.25rem) calc(50% - 1.5px);
      content: '';
      background: var(--line-strong);
      border-radius: 99rem;
    }
    :host([aria-orientation='horizontal'])::after {
      inset: calc(50% - 1.5px) calc(50% - 1.25rem);
    }
    :host(:hover)::after,
    :host(:focus-visible)::after {
      background: var(--joined);
    }
    :host(:focus-visible) {
      outline-offset: -3px;
    }
  `,
  host: {
    role: 'separator',
    tabindex: '0',
    'aria-valuemin': LEAST.toString(),
    'aria-valuemax': MOST.toString(),
    title: 'Drag to share the room differently; double-click to reset',
    '[attr.aria-valuenow]': 'rounded()',
    '[attr.aria-orientation]': 'isVertical() ? "vertical" : "horizontal"',
    '[attr.aria-label]': 'label()',
    '(pointerdown)': 'down($event)',
    '(pointermove)': 'moved($event)',
    '(dblclick)': 'split.reset(name())',
    '(keydown)': 'pressed($event)',
  },
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class Splitter {
  readonly name = input.required<SplitName>();
  readonly label = input.required<string>();
  protected readonly split = inject(Split);
  protected readonly isVertical = computed(() => this.name() === 'columns');
  protected readonly rounded = computed(() => Math.round(this.split.of(this.name())));

  protected down(event: PointerEvent): void {
    if (event.button !== 0) return;
    const line = event.target as HTMLElement;
    line.setPointerCapture(event.pointerId);
    // Nothing is marked as text on the way; the focus has to be given by hand then.
    event.preventDefault();
    line.focus({ preventScroll: true });
  }

  /** The share is where the pointer is in the room that both parts have together. */
  protected moved(event: PointerEvent): void {
    const line = event.target as Element;
    const room = line.parentElement?.getBoundingClientRect();
    if (room === undefined || !line.hasPointerCapture(event.pointerId)) return;
    const share = this.isVertical()
      ? (event.clientX - room.left) / room.width
      : (event.clientY - room.top) / room.height;
    this.split.set(this.name(), share * 100);
  }

  protected pressed(event: KeyboardEvent): void {
    const share = this.#target(event.key);
    if (share === null) return;
    event.preventDefault();
    this.split.set(this.name(), share);
  }

  #target(key: string): number | null {
    const [less, more] = this.isVertical() ? ['ArrowLeft', 'ArrowRight'] : ['ArrowUp', 'ArrowDown'];
    const share = this.split.of(this.name());
    if (key === less) return share - STEP;
    if (key === more) return share + STEP;
    if (key === 'Home') return LEAST;
    return key === 'End' ? MOST : null;
  }
}
