import { inject, Injectable, signal } from '@angular/core';
import { LivejoinFormats, type FileFormat } from 'livejoin-angular';
import { lastingStore } from '../browser-store';
import type { ExportKind } from './export-kind';

const ITEM = 'livejoin.formulas';
const KEPT = 'kept';

/** What somebody has chosen about files of every kind, and about what is copied. */
@Injectable({ providedIn: 'root' })
export class ExportChoice {
  readonly #formats = inject(LivejoinFormats);
  readonly #keepsFormulas = signal(lastingStore.read(ITEM) === KEPT);
  /** Whether texts that a spreadsheet would calculate stay as they are. They do not, unless somebody wants it. */
  readonly keepsFormulas = this.#keepsFormulas.asReadonly();

  keepFormulas(areKept: boolean): void {
    this.#keepsFormulas.set(areKept);
    if (areKept) lastingStore.write(ITEM, KEPT);
    else lastingStore.forget(ITEM);
  }

  formatOf({ format }: ExportKind): FileFormat {
    const zone = this.#formats.zone();
    if (format.format === 'json-lines') return { ...format, zone };
    return { ...format, zone, isSafe: !this.#keepsFormulas() };
  }
}
