import { computed, Injectable } from '@angular/core';
import { injectLiveTable } from 'livejoin-angular';
import { recordsOf } from '../records';
import { entryOf } from './control-entry';

export const NEWEST = 100;
export const NEWEST_FIRST = [{ column: 'when', direction: 'descending' }] as const;

/** The newest control messages, newest first. Watched for as long as the panel lives that provides it. */
@Injectable()
export class ControlLog {
  readonly table = injectLiveTable('control_raw', {
    sort: NEWEST_FIRST,
    window: { first: 0, last: NEWEST - 1 },
  });
  readonly entries = computed(() => recordsOf(this.table.snapshot()).map(entryOf));
}
