import { visibleText } from 'livejoin-angular';
import type { Topics } from '../declaration/declared';
import { exactTextIn, textIn, timeIn, type RowRecord } from '../records';

/** A row of the table `control_raw`. */
export interface ControlEntry extends Topics {
  readonly joinType: string;
  readonly raw: string;
  readonly isRollback: boolean;
  /** What the message calls itself; null where it has no name. */
  readonly id: string | null;
  /** Empty while it is being worked on. */
  readonly verdict: string;
  readonly reason: string;
  readonly when: number | null;
  /** Who asked, as the message says; empty where it does not. */
  readonly by: string;
}

export function entryOf(row: RowRecord, { left, right }: Topics): ControlEntry {
  const message = exactTextIn(row, 'raw');
  const by = fieldIn(message, 'by');
  const id = fieldIn(message, 'id');
  return {
    left,
    right,
    joinType: textIn(row, 'joinType'),
    raw: textIn(row, 'raw'),
    isRollback: fieldIn(message, 'rollback') === true,
    id: typeof id === 'string' ? id : null,
    verdict: textIn(row, 'verdict'),
    reason: textIn(row, 'reason'),
    when: timeIn(row, 'when'),
    by: typeof by === 'string' ? visibleText(by.trim()) : '',
  };
}

/** By what one is told from all others. */
export function keyOf({ when, raw }: ControlEntry): string {
  return `message ${String(when)} ${raw}`;
}

/** The message that was sent with this id. What is no JSON was sent by somebody else. */
export function entryWithId(entries: readonly ControlEntry[], id: string): ControlEntry | null {
  return entries.find((entry) => entry.id === id) ?? null;
}

/**
 * What a message asks for, in the words of the sources: `orders → orders-v2, joined left`. What the message before it
 * already had made so is left out; a message that cannot be read says so.
 */
export function askedIn(entry: ControlEntry, names: Topics, before: ControlEntry | null): string {
  if (entry.isRollback) return 'Roll back';
  const sides = (['left', 'right'] as const).filter((side) => entry[side] !== '');
  const changed = sides.filter((side) => entry[side] !== before?.[side]);
  const shown = changed.length > 0 ? changed : sides;
  const topics = shown.map((side) => `${names[side]} → ${entry[side]}`);
  const join = entry.joinType === '' ? [] : [`joined ${entry.joinType}`];
  return topics.length === 0 ? 'A message that cannot be read' : [...topics, ...join].join(', ');
}

/** The message whose topics were live before this one, as far as the log reaches back; the newest come first. */
export function appliedBefore(entries: readonly ControlEntry[], index: number): ControlEntry | null {
  return entries.slice(index + 1).find(({ verdict, left }) => verdict === 'applied' && left !== '') ?? null;
}

/** What a verdict means for the person who sent the message. */
export function meaningOf(verdict: string): string {
  return MEANINGS.get(verdict) ?? 'It is being worked on; the line at the top shows how far it is.';
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
