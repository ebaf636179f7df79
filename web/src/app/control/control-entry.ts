import { visibleText } from 'livejoin-angular';
import { exactTextIn, textIn, timeIn, type RowRecord } from '../records';

/** A row of the table `control_raw`. */
export interface ControlEntry {
  readonly raw: string;
  /** What the message calls itself; null where it has no name. */
  readonly id: string | null;
  /** Empty while it is being worked on. */
  readonly verdict: string;
  readonly reason: string;
  readonly when: number | null;
  /** Who asked, as the message says; empty where it does not. */
  readonly by: string;
}

export function entryOf(row: RowRecord): ControlEntry {
  const message = exactTextIn(row, 'raw');
  const by = fieldIn(message, 'by');
  const id = fieldIn(message, 'id');
  return {
    raw: textIn(row, 'raw'),
    id: typeof id === 'string' ? id : null,
    verdict: textIn(row, 'verdict'),
    reason: textIn(row, 'reason'),
    when: timeIn(row, 'when'),
    by: typeof by === 'string' ? visibleText(by.trim()) : '',
  };
}

/** The message that was sent with this id. What is no JSON was sent by somebody else. */
export function entryWithId(entries: readonly ControlEntry[], id: string): ControlEntry | null {
  return entries.find((entry) => entry.id === id) ?? null;
}

/** What a verdict means for the person who sent the message. */
export function meaningOf(verdict: string): string {
  return MEANINGS.get(verdict) ?? 'It is being worked on; the bar above shows how far it is.';
}

const MEANINGS: ReadonlyMap<string, string> = new Map([
  ['applied', 'The tables show it.'],
  ['unchanged', 'It asks for what is already live or being built; nothing has changed.'],
  ['rejected', 'Nothing has changed. Correct it and send it again.'],
  ['superseded', 'A newer message took its place before it was live.'],
  ['failed', 'It could not be built; what was live still is. Mend the cause and send it again.'],
]);

function fieldIn(raw: string, name: string): unknown {
  try {
    const message: unknown = JSON.parse(raw);
    const isObject = typeof message === 'object' && message !== null;
    return isObject ? (message as Record<string, unknown>)[name] : null;
  } catch {
    return null;
  }
}
