/**
 * What the browser keeps for this page. A browser may forbid that, on the first look or at every write, and may have no
 * room: then it is kept until the page is left. Nothing here throws.
 */
export class BrowserStore {
  /** What the browser did not take. */
  readonly #kept = new Map<string, string>();

  /** A function, because naming a forbidden storage already throws. */
  constructor(private readonly storage: () => Storage) {}

  read(item: string): string | null {
    const kept = this.#kept.get(item);
    return kept ?? this.#try((storage) => storage.getItem(item)) ?? null;
  }

  write(item: string, text: string): void {
    const isTaken = this.#try((storage) => {
      storage.setItem(item, text);
      return true;
    });
    if (isTaken === true) this.#kept.delete(item);
    else this.#kept.set(item, text);
  }

  forget(item: string): void {
    this.#kept.delete(item);
    this.#try((storage) => {
      storage.removeItem(item);
    });
  }

  #try<T>(use: (storage: Storage) => T): T | undefined {
    try {
      return use(this.storage());
    } catch {
      return undefined;
    }
  }
}

/** Until the tab is closed: keys. */
export const tabStore = new BrowserStore(() => sessionStorage);

/** For whoever uses this browser: theme and layout. */
export const lastingStore = new BrowserStore(() => localStorage);
