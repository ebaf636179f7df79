import { computed, inject, Injectable } from '@angular/core';
import { Declared } from '../declaration/declared';
import { injectNewestRows } from '../newest-rows';
import { entryOf } from './control-entry';

const NEWEST = 100;

/** The newest control messages, in the order of their arrival, the last one first. */
@Injectable({ providedIn: 'root' })
export class ControlLog {
  readonly #declared = inject(Declared);
  readonly #newest = injectNewestRows('control_raw', NEWEST);
  readonly error = this.#newest.table.error;
  readonly entries = computed(() =>
    this.#newest.rows().map((row) => entryOf(row, this.#declared.topicsIn(row))),
  );
}
