import type { Column, ColumnKind } from 'livejoin-client';
import type { CellFormat } from '../formats';
import { isNumeric } from '../live-table/cell-text';
import { directionOf } from '../live-table/direction';
import type { LivejoinWords } from '../words';
import {
  conditionOf,
  isBare,
  isLikeness,
  type Comparison,
  type ConditionName,
  type TypedFilter,
} from './typed-filter';
import { momentShown, momentTyped } from './typed-moment';
import { decimalOf, numberShown, numberTyped } from './typed-number';

/** What the fields of a filter hold while somebody fills them in. */
export interface FilterDraft {
  readonly asks: ConditionName;
  /** Of a condition with one value. */
  readonly value: string;
  readonly from: string;
  readonly to: string;
}

export type DraftField = 'value' | 'from' | 'to';

/** What is wrong with it, at which fields. */
export interface DraftFault {
  readonly fields: readonly DraftField[];
  readonly why: 'notANumber' | 'notADate' | 'notAMoment' | 'fromBeyondTo';
}

const OF_TEXTS: readonly ConditionName[] = [
  'containing',
  'notContaining',
  'equal',
  'notEqual',
  'startingWith',
  'endingWith',
  'blank',
  'notBlank',
  'null',
  'notNull',
];
const OF_TRUTHS: readonly ConditionName[] = ['any', 'true', 'false', 'null', 'notNull'];
const OF_AMOUNTS: readonly ConditionName[] = ['between', 'equal', 'notEqual', 'null', 'notNull'];

/** What can be asked of a column, the most usual first. */
export function questionsFor(kind: ColumnKind): readonly ConditionName[] {
  if (kind === 'text') return OF_TEXTS;
  return kind === 'boolean' ? OF_TRUTHS : OF_AMOUNTS;
}

/** The fields that a question has. */
export function fieldsOf(asks: ConditionName): readonly DraftField[] {
  if (asks === 'between') return ['from', 'to'];
  return isBare(asks) || asks === 'any' || asks === 'true' || asks === 'false' ? [] : ['value'];
}

/** The conditions on a column, as fields show them. */
export function draftOf(
  conditions: readonly TypedFilter[],
  kind: ColumnKind,
  { locale, zone }: CellFormat,
): FilterDraft {
  const empty = { asks: questionsFor(kind)[0] ?? 'equal', value: '', from: '', to: '' };
  const shown = (text: string): string => {
    if (kind === 'instant') return momentShown(text, zone);
    return isNumeric(kind) ? numberShown(text, locale) : text;
  };
  const bounds = { from: '', to: '' };
  for (const condition of conditions) {
    if (!('to' in condition)) return { ...empty, asks: condition.is };
    const { is, to } = condition;
    if (kind === 'boolean') return { ...empty, asks: to === 'true' ? 'true' : 'false' };
    if (isLikeness(is) || is === 'equal' || is === 'notEqual')
      return { ...empty, asks: is, value: shown(to) };
    bounds[is === 'greater' || is === 'greaterOrEqual' ? 'from' : 'to'] = shown(to);
  }
  return { ...empty, ...bounds };
}

/** What the fields ask for; empty where nothing is typed, and a fault where what is typed cannot be asked. */
export function conditionsOf(
  { name: column, kind }: Pick<Column, 'name' | 'kind'>,
  { asks, ...texts }: FilterDraft,
  { locale, zone }: CellFormat,
): readonly TypedFilter[] | DraftFault {
  if (asks === 'any') return [];
  if (isBare(asks)) return [{ column, is: asks }];
  if (asks === 'true' || asks === 'false') return [{ column, is: 'equal', to: asks }];
  // What a link says means the same everywhere; what somebody types is as they write it.
  const meant = (text: string): string | null => {
    if (kind === 'instant') return momentTyped(text, zone);
    return isNumeric(kind) ? numberTyped(text, locale) : text;
  };
  const found: TypedFilter[] = [];
  const wrong: DraftField[] = [];
  for (const field of fieldsOf(asks)) {
    const text = kind === 'text' ? texts[field] : texts[field].trim();
    if (text === '') continue;
    const to = meant(text);
    const is: Comparison | typeof asks =
      field === 'from' ? 'greaterOrEqual' : field === 'to' ? 'lessOrEqual' : asks;
    const typed = to === null || is === 'between' ? null : { column, is, to };
    if (typed === null || conditionOf(typed, kind) === null) wrong.push(field);
    else found.push(typed);
  }
  if (wrong.length > 0) return { fields: wrong, why: faultOf(kind) };
  return isEmptyRange(found, kind) ? { fields: ['from', 'to'], why: 'fromBeyondTo' } : found;
}

export function isFault(found: readonly TypedFilter[] | DraftFault): found is DraftFault {
  return 'why' in found;
}

function faultOf(kind: ColumnKind): DraftFault['why'] & keyof LivejoinWords {
  if (kind === 'instant') return 'notAMoment';
  return kind === 'date' ? 'notADate' : 'notANumber';
}

function isEmptyRange(found: readonly TypedFilter[], kind: ColumnKind): boolean {
  const [from, to] = ['greaterOrEqual', 'lessOrEqual'].map((is) => found.find((by) => by.is === is));
  if (from === undefined || to === undefined || !('to' in from) || !('to' in to)) return false;
  if (kind === 'date') return from.to > to.to;
  if (kind === 'integer' || kind === 'decimal')
    return directionOf(decimalOf(from.to), decimalOf(to.to), true) === 'fall';
  const [low, high] = [conditionOf(from, kind), conditionOf(to, kind)].map((by) =>
    by !== null && 'to' in by && !Array.isArray(by.to) ? (by.to as number) : null,
  );
  return directionOf(low ?? null, high ?? null, false) === 'fall';
}
