import { signal } from '@angular/core';
import { readableWidth } from './shown-columns';

/** Less is the trembling of a hand that clicks. */
const THRESHOLD = 5;

interface Grip {
  readonly name: string;
  readonly x: number;
  /** Of the column and of all to the left of it, where its edge is pulled; null where the column itself is carried. */
  readonly widths: ReadonlyMap<string, number> | null;
  /** The middles of the other heads, from left to right, where it is carried. */
  readonly middles: readonly number[];
}

/** What a pointer does to a head: pull its edge, or carry it to another place. Positions are those of the pointer. */
export class HeadDrag {
  readonly #widened = signal<ReadonlyMap<string, number> | null>(null);
  readonly #carried = signal<{ readonly name: string; readonly index: number } | null>(null);
  /**
   * How wide the column is by now whose edge is being pulled, and all to the left of it: they keep what they have, so
   * that the edge stays under the pointer.
   */
  readonly widened = this.#widened.asReadonly();
  /** The column that is being carried, and at which index among the others it would land. */
  readonly carried = this.#carried.asReadonly();
  #grip: Grip | null = null;

  pull(name: string, x: number, widths: ReadonlyMap<string, number>): void {
    this.#grip = { name, x, widths, middles: [] };
  }

  carry(name: string, x: number, middles: readonly number[]): void {
    this.#grip = { name, x, widths: null, middles };
  }

  moved(x: number): void {
    if (this.#grip === null) return;
    const { name, widths, middles } = this.#grip;
    const way = x - this.#grip.x;
    if (widths !== null) {
      this.#widened.set(new Map([...widths, [name, readableWidth((widths.get(name) ?? 0) + way)]]));
    } else if (this.#carried() !== null || Math.abs(way) >= THRESHOLD) {
      this.#carried.set({ name, index: middles.filter((middle) => middle < x).length });
    }
  }

  /** Lets go. What was being done counts where the caller has read it before. */
  release(): void {
    this.#grip = null;
    this.#widened.set(null);
    this.#carried.set(null);
  }
}
