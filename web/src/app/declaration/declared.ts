import { computed, Injectable, signal } from '@angular/core';
import { injectDeclaration, type Column, type Declaration, type DeclaredSource } from 'livejoin-angular';
import { textIn, type RowRecord } from '../records';

/** One of the two sources, or what comes of both: the same colour wherever it appears. */
export type Side = 'left' | 'right' | 'joined';

export interface Topics {
  readonly left: string;
  readonly right: string;
}

/**
 * What the server joins, and what of it is on the screen: when it joins something else, the tables that were shown stay
 * until the others are here.
 */
@Injectable({ providedIn: 'root' })
export class Declared {
  readonly told = injectDeclaration();
  readonly #shown = signal<Declaration | null>(null);
  readonly shown = this.#shown.asReadonly();
  /** Rows of the one before may still be on the screen, or the first of the next. */
  readonly #known = computed(() => [this.told(), this.shown()].filter((declaration) => declaration !== null));

  show(declaration: Declaration | null): void {
    this.#shown.set(declaration);
  }

  /** The source whose table is there; null for the joined one, and before it is known. */
  sourceAt(side: Side): DeclaredSource | null {
    const declaration = this.shown() ?? this.told();
    return declaration === null || side === 'joined' ? null : declaration[side];
  }

  /** Where a column of the joined table comes from; null where nobody says so. */
  originOf({ key, source }: Pick<Column, 'key' | 'source'>): Side | null {
    for (const { left, right } of this.#known()) {
      const side = source === left.name ? 'left' : source === right.name ? 'right' : null;
      if (side !== null) return key === true ? 'joined' : side;
    }
    return null;
  }

  /** By which columns rows of both sources belong together, as a person would write it. */
  joinedBy(): string {
    const declaration = this.shown() ?? this.told();
    if (declaration === null) return '';
    const { left, right, on } = declaration;
    if (on.every(([one, other]) => one === other)) return 'in both: what the rows are joined by';
    const pairs = on.map(([one, other]) => `${left.name}.${one} = ${right.name}.${other}`);
    return `what the rows are joined by: ${pairs.join(', ')}`;
  }

  /** The topics in a row of livejoin's own tables, which call them after the sources. */
  topicsIn(row: RowRecord): Topics {
    for (const { left, right } of this.#known()) {
      if (!row.has(left.topicField) && !row.has(right.topicField)) continue;
      return { left: textIn(row, left.topicField), right: textIn(row, right.topicField) };
    }
    return { left: '', right: '' };
  }
}
