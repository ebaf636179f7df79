import type { ZoneChoice } from 'livejoin-client';
import { momentText } from '../live-table/moment-text';
import { conditionOf } from './typed-filter';

const WRITTEN = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(\.\d{1,9})?)?\s?(Z|[+-]\d\d:\d\d)?)?$/;

/**
 * A point in time that somebody has typed as the clock in that zone says it, or with an offset, as it is copied from a
 * table; in UTC, and null where it is none.
 */
export function momentTyped(text: string, zone: ZoneChoice): string | null {
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', offset] =
    WRITTEN.exec(text.trim()) ?? [];
  if (year === undefined || month === undefined || day === undefined) return null;
  const at = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  // Without an offset, this is how a Date reads the clock on the wall.
  const date = new Date(`${at}${offset ?? (zone === 'UTC' ? 'Z' : '')}`);
  const asUtc = new Date(`${at}Z`);
  if (Number.isNaN(asUtc.getTime()) || Number.isNaN(date.getTime())) return null;
  // Not the 31st of February.
  return asUtc.toISOString().startsWith(at) ? `${date.toISOString().slice(0, 19)}${fraction}Z` : null;
}

/** What stands in a link, as the clock in that zone says it. */
export function momentShown(text: string, zone: ZoneChoice): string {
  const asked = conditionOf({ column: '', is: 'equal', to: text }, 'instant');
  return asked?.is === 'equal' && typeof asked.to === 'object' ? momentText(asked.to, zone) : text;
}
