import { computed, inject, Injectable, LOCALE_ID, signal } from '@angular/core';
import type { CellValue, ColumnKind } from 'livejoin-client';
import { cellText, type CellText } from './live-table/cell-text';

/** In which zone points in time are written: the same for everybody, or that of the person. */
export type ZoneChoice = 'UTC' | 'local';

/** How values are written where a person reads them. */
export interface CellFormat {
  readonly locale: string;
  readonly zone: ZoneChoice;
}

/**
 * How the whole application writes numbers and times: by the application's LOCALE_ID, and in one zone, to choose. The
 * tables take it from here; whatever writes values beside them can do the same.
 */
@Injectable({ providedIn: 'root' })
export class LivejoinFormats {
  readonly locale = inject(LOCALE_ID);
  readonly #zone = signal<ZoneChoice>('UTC');
  readonly #counts = new Intl.NumberFormat(this.locale);
  readonly zone = this.#zone.asReadonly();
  /** What the zone is called: `UTC`, or a name like `Europe/Berlin`. */
  readonly zoneName = computed(() => (this.zone() === 'UTC' ? 'UTC' : localZone()));
  readonly format = computed<CellFormat>(() => ({ locale: this.locale, zone: this.zone() }));

  chooseZone(zone: ZoneChoice): void {
    this.#zone.set(zone);
  }

  /** A number of rows, or of anything else that is counted. */
  count(number: number): string {
    return this.#counts.format(number);
  }

  /** A value as the tables write it. */
  cell(value: CellValue, kind: ColumnKind): CellText {
    return cellText(value, kind, this.format());
  }
}

/** As the machine of the person calls it. */
export function localZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
