import type { ZoneChoice } from '../formats';
import { momentText } from '../live-table/moment-text';
import { conditionOf } from './typed-filter';

const WRITTEN = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(\.\d{1,9})?)?)?$/;

/** A point in time that somebody has typed as the clock in that zone says it, in UTC; null where it is none. */
export function momentTyped(text: string, zone: ZoneChoice): string | null {
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = ''] =
    WRITTEN.exec(text.trim()) ?? [];
  if (year === undefined || month === undefined || day === undefined) return null;
  const at = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  // Without a zone, this is how a Date reads the clock on the wall.
  const date = new Date(zone === 'UTC' ? `${at}Z` : at);
  const isThatDay =
    !Number.isNaN(new Date(`${at}Z`).getTime()) && new Date(`${at}Z`).toISOString().startsWith(at);
  return isThatDay ? `${date.toISOString().slice(0, 19)}${fraction}Z` : null;
}

/** What stands in a link, as the clock in that zone says it. */
export function momentShown(text: string, zone: ZoneChoice): string {
  const asked = conditionOf({ column: '', is: 'equal', to: text }, 'instant');
  return asked?.is === 'equal' && typeof asked.to === 'object' ? momentText(asked.to, zone) : text;
}
