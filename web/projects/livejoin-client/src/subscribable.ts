import { tell } from './errors';

/**
 * A value with listeners. A listener is told about changes only; it reads the first value itself. What it throws does
 * not keep the others from being told.
 */
export class Subscribable<T> {
  readonly #listeners = new Set<(value: T) => void>();
  #value: T;

  constructor(initial: T) {
    this.#value = initial;
  }

  get value(): T {
    return this.#value;
  }

  subscribe(listener: (value: T) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  set(value: T): void {
    this.#value = value;
    for (const listener of [...this.#listeners]) {
      tell(() => {
        listener(value);
      });
    }
  }
}
