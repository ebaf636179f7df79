import type { CellValue } from '../table-server';
import { isoIn, type ZoneChoice } from '../zone';

/** The value itself, without separators, a point in time by the clock of that zone. Null is nothing, as an empty text is. */
export function exactText(value: CellValue, zone: ZoneChoice = 'UTC'): string {
  if (value === null) return '';
  if (Object.is(value, -0)) return '-0';
  return typeof value === 'object' ? isoIn(value, zone) : value.toString();
}
