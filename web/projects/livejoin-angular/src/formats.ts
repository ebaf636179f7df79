import { computed, inject, Injectable, LOCALE_ID, signal } from '@angular/core';
import { isoIn, type CellValue, type ColumnKind, type Instant, type ZoneChoice } from 'livejoin-client';
import { cellText, type CellText } from './live-table/cell-text';
import { localZone, momentNamed } from './live-table/moment-text';

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
  /** What the zone of the person is called, by their machine. */
  readonly localZone = localZone();
  readonly #zone = signal<ZoneChoice>('UTC');
  readonly #counts = new Intl.NumberFormat(this.locale);
  readonly zone = this.#zone.asReadonly();
  /** What the zone is called: `UTC`, or a name like `Europe/Berlin`. */
  readonly zoneName = computed(() => (this.zone() === 'UTC' ? 'UTC' : this.localZone));
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

  /** A point in time in the zone that is chosen, which it names: `2024-05-17 10:30:00 Europe/Berlin (UTC+02:00)`. */
  moment(at: Instant): string {
    return momentNamed(at, this.zone());
  }

  /** The same in ISO 8601, for whatever is copied or saved: `2024-05-17T10:30:00+02:00`. */
  iso(at: Instant): string {
    return isoIn(at, this.zone());
  }
}
