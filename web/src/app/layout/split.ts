import { Injectable, signal } from '@angular/core';
import { lastingStore } from '../browser-store';

export type SplitName = 'columns' | 'rows';

/** The share of the first of two parts, in per cent: the joined table beside the sources, one source above the other. */
const USUAL: Readonly<Record<SplitName, number>> = { columns: 62, rows: 50 };
export const LEAST = 20;
export const MOST = 80;

const ITEM = 'livejoin.layout';

/** How the room is shared between the tables. It belongs to the person and the screen, so it is not in the address. */
@Injectable({ providedIn: 'root' })
export class Split {
  readonly #shares = signal(remembered(lastingStore.read(ITEM)));

  of(name: SplitName): number {
    return this.#shares()[name];
  }

  set(name: SplitName, share: number): void {
    const next = Math.min(MOST, Math.max(LEAST, Math.round(share * 10) / 10));
    this.#shares.update((shares) => ({ ...shares, [name]: next }));
    lastingStore.write(ITEM, JSON.stringify(this.#shares()));
  }

  reset(name: SplitName): void {
    this.set(name, USUAL[name]);
  }
}

/** Whatever is in the store: what makes no sense is as usual. */
export function remembered(text: string | null): Readonly<Record<SplitName, number>> {
  let found: Partial<Record<SplitName, unknown>>;
  try {
    found = (JSON.parse(text ?? '{}') ?? {}) as Partial<Record<SplitName, unknown>>;
  } catch {
    found = {};
  }
  const shareOf = (name: SplitName): number => {
    const share = found[name];
    return typeof share === 'number' && share >= LEAST && share <= MOST ? share : USUAL[name];
  };
  return { columns: shareOf('columns'), rows: shareOf('rows') };
}
