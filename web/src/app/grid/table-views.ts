import { effect, inject, Injectable } from '@angular/core';
import { LivejoinFormats, ViewAddress } from 'livejoin-angular';

const MAXIMISED = 'table';
const TIMES = 'times';

/** The maximised table and the zone of times. They live in the address beside the views, so that a link shows the same. */
@Injectable({ providedIn: 'root' })
export class TableViews {
  readonly #address = inject(ViewAddress);
  readonly #formats = inject(LivejoinFormats);
  readonly maximised = this.#address.valueOf(MAXIMISED);

  constructor() {
    if (this.#address.valueOf(TIMES)() === 'local') this.#formats.chooseZone('local');
    effect(() => {
      this.#address.write(TIMES, this.#formats.zone() === 'local' ? 'local' : null);
    });
  }

  /** Tables that are no longer there: nobody wants to see them in any way. */
  forget(tables: readonly string[]): void {
    this.#address.forget(tables);
    if (tables.includes(this.maximised() ?? '')) this.maximise(null);
  }

  /** Null shows all tables again. */
  maximise(table: string | null): void {
    this.#address.write(MAXIMISED, table);
  }
}
