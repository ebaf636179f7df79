import type { WireCondition, WireDescription } from './description';

/** What the door takes of one view, as `serve/door/message.py` has it. */
const LONGEST_TEXT = 4_096;
const LONGEST_NAME = 256;
const MOST_COLUMNS = 1_000;
const MOST_SORTS = 16;
const MOST_CONDITIONS = 200;
const MOST_OPERANDS = 1_000;
const DEEPEST = 4;
const LARGEST_MESSAGE = 65_536;

/** For what is said around a description. */
const ROOM = 100;

/**
 * Why a view cannot be asked for, in words for who wants it; null where it can. The door ends a whole connection, with
 * every other view, over a message that is none, so what a person has typed or a link has brought is looked at before.
 */
export function beyondBounds(view: WireDescription): string | null {
  const { columns = [], sort = [], filter = [], search = '' } = view;
  const conditions = filter.flatMap(within);
  const names = [view.table, ...columns, ...sort.map(({ column }) => column), ...filter.map(named)];
  if (search.length > LONGEST_TEXT) return `A search has at most ${counted(LONGEST_TEXT)} characters.`;
  if (conditions.some(({ to }) => hasLongText(to)))
    return `A text that is compared with has at most ${counted(LONGEST_TEXT)} characters.`;
  if (conditions.some(({ to }) => Array.isArray(to) && to.length > MOST_OPERANDS))
    return `A list that is compared with has at most ${counted(MOST_OPERANDS)} values.`;
  if (conditions.length > MOST_CONDITIONS)
    return `A view has at most ${counted(MOST_CONDITIONS)} conditions.`;
  if (filter.some((by) => depthOf(by) > DEEPEST))
    return `Conditions lie at most ${counted(DEEPEST)} deep in one another.`;
  if (sort.length > MOST_SORTS) return `A view is sorted by at most ${counted(MOST_SORTS)} columns.`;
  if (columns.length > MOST_COLUMNS) return `A view has at most ${counted(MOST_COLUMNS)} columns.`;
  if (new Set(columns).size < columns.length) return 'A column is named twice.';
  if (names.some((name) => name === '' || name.length > LONGEST_NAME))
    return `A name has 1 to ${counted(LONGEST_NAME)} characters.`;
  const size = new TextEncoder().encode(JSON.stringify(view)).length;
  return size + ROOM > LARGEST_MESSAGE ? 'What is asked for is too long: filter by less.' : null;
}

function within(condition: WireCondition): readonly WireCondition[] {
  return [condition, ...(condition.of ?? []).flatMap(within)];
}

function depthOf(condition: WireCondition): number {
  return 1 + Math.max(0, ...(condition.of ?? []).map(depthOf));
}

function hasLongText(to: WireCondition['to']): boolean {
  const operands: readonly unknown[] = Array.isArray(to) ? to : [to];
  return operands.some((operand) => typeof operand === 'string' && operand.length > LONGEST_TEXT);
}

function named({ column }: { readonly column: string }): string {
  return column;
}

function counted(count: number): string {
  return count.toLocaleString('en');
}
