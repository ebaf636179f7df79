import { signal } from '@angular/core';

/** Less is the trembling of a hand that clicks. */
const THRESHOLD = 5;

interface Grip {
  readonly name: string;
  readonly x: number;
  /** Of the column, where its edge is pulled; null where the column itself is carried. */
  readonly width: number | null;
  /** The middles of the other heads, from left to right, where it is carried. */
  readonly middles: readonly number[];
}

/** What a pointer does to a head: pull its edge, or carry it to another place. Positions are those of the pointer. */
export class HeadDrag {
  readonly #widened = signal<{ readonly name: string; readonly width: number } | null>(null);
  readonly #carried = signal<{ readonly name: string; readonly index: number } | null>(null);
  /** The column whose edge is being pulled, and how wide it is by now. */
  readonly widened = this.#widened.asReadonly();
  /** The column that is being carried, and at which index among the others it would land. */
  readonly carried = this.#carried.asReadonly();
  #grip: Grip | null = null;

  pull(name: string, x: number, width: number): void {
    this.#grip = { name, x, width, middles: [] };
  }

  carry(name: string, x: number, middles: readonly number[]): void {
    this.#grip = { name, x, width: null, middles };
  }

  moved(x: number): void {
    if (this.#grip === null) return;
    const { name, width, middles } = this.#grip;
    const way = x - this.#grip.x;
    if (width !== null) {
      this.#widened.set({ name, width: width + way });
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
