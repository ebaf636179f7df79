import type { ControlEntry } from '../control/control-entry';
import { sentence } from '../sentence';

/** How long a rejection is news. */
const NEWS_MS = 120_000;

/** Why the newest control message came to nothing, also for who has closed the panel; null when that is no news. */
export function rejectionOf(newest: ControlEntry | null, now: number): string | null {
  if (newest?.verdict !== 'rejected' || newest.when === null || now - newest.when > NEWS_MS) return null;
  return sentence(newest.reason);
}
