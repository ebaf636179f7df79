import type { Declaration, DeclaredSource, Keep } from '../declaration';
import { KeyRefusedError, ServerError, type LivejoinError } from '../errors';
import type { ColumnKind, Generation, Rights, Role } from '../table-server';
import type { WireDescription } from './description';

/** What a client may say; docs/protocol.md tells what each means. */
export type ClientMessage =
  | { readonly do: 'login'; readonly key: string }
  | ({ readonly do: 'open' | 'copy'; readonly view: number } & WireDescription)
  | {
      readonly do: 'look';
      readonly view: number;
      readonly look: number;
      readonly first: number;
      readonly last: number;
    }
  | { readonly do: 'close'; readonly view: number }
  | { readonly do: 'ping'; readonly id: number };

/** What it hears. */
export type ServerMessage =
  | Welcome
  | Declared
  | Refused
  | Opened
  | { readonly is: 'failed'; readonly view: number; readonly reason: string }
  | { readonly is: 'rows'; readonly changes: readonly Change[] }
  | { readonly is: 'pong'; readonly id: number };

export type Welcome = Rights & {
  readonly is: 'welcome';
  /** What the server's clock says, in milliseconds since 1970; left out by those that do not say it. */
  readonly now?: number;
};

export interface Declared {
  readonly is: 'declared';
  readonly declaration: Declaration;
}

export interface Refused {
  readonly is: 'refused';
  readonly why: string;
  readonly reason: string;
}

export interface Opened {
  readonly is: 'opened';
  readonly view: number;
  readonly columns: readonly WireColumn[];
}

export interface WireColumn {
  readonly name: string;
  readonly type: ColumnKind;
  readonly key?: boolean;
  readonly source?: string;
}

/** What one moment has changed in one view. */
export interface Change {
  readonly view: number;
  readonly look: number;
  readonly generation: Generation | null;
  readonly size: number;
  readonly first: number;
  /** Null where the rows are all of those that are looked at. */
  readonly at: readonly number[] | null;
  readonly rows: readonly WireRow[];
}

export type WireRow = readonly unknown[];

/** Not a word of this protocol, or of a newer one. */
export class UnreadableError extends ServerError {
  constructor(what: string) {
    super(`The table server says what this page cannot read: ${what}. After an update, load the page again.`);
  }
}

/** How the server closes a connection whose key is wrong, or was withdrawn. */
export const KEY_REFUSED = 4401;

export function refusal({ why, reason }: Refused): LivejoinError {
  return why === 'key' ? new KeyRefusedError() : new ServerError(reason);
}

const ROLES: readonly unknown[] = ['viewer', 'operator'] satisfies Role[];

const KINDS: readonly unknown[] = [
  'text',
  'integer',
  'double',
  'decimal',
  'boolean',
  'instant',
  'date',
] satisfies ColumnKind[];

const KEEPS: readonly unknown[] = ['all', 'latest'] satisfies Keep[];

/** Believes nothing: throws an UnreadableError where a message is not exactly one of the protocol. */
export function readMessage(given: unknown): ServerMessage {
  const message = recordIn(parsed(given), 'a message');
  const { is } = message;
  switch (is) {
    case 'welcome':
      return {
        is,
        ...rightsIn(message),
        ...(message['now'] === undefined ? {} : { now: countIn(message, 'now') }),
      };
    case 'declared':
      return { is, declaration: declarationIn(recordIn(message['declaration'], 'a declaration')) };
    case 'refused':
      return { is, why: textIn(message, 'why'), reason: textIn(message, 'reason') };
    case 'opened':
      return { is, view: countIn(message, 'view'), columns: listIn(message, 'columns').map(columnIn) };
    case 'failed':
      return { is, view: countIn(message, 'view'), reason: textIn(message, 'reason') };
    case 'rows':
      return { is, changes: listIn(message, 'changes').map(changeIn) };
    case 'pong':
      return { is, id: countIn(message, 'id') };
    default:
      throw new UnreadableError(`a message that is ${shown(is)}`);
  }
}

function parsed(given: unknown): unknown {
  if (typeof given !== 'string') throw new UnreadableError('a message that is no text');
  try {
    return JSON.parse(given);
  } catch {
    throw new UnreadableError('a message that is no JSON');
  }
}

function rightsIn(message: Record<string, unknown>): Rights {
  const { role, mayExport } = message;
  if (!isRole(role)) throw new UnreadableError(`role ${shown(role)}`);
  if (typeof mayExport !== 'boolean') throw new UnreadableError(`mayExport ${shown(mayExport)}`);
  return { role, name: textIn(message, 'name'), mayExport };
}

function declarationIn(given: Record<string, unknown>): Declaration {
  const on = listIn(given, 'on');
  if (!on.every(isPair)) throw new UnreadableError('a join on what is no pair of columns');
  const joins = listIn(given, 'joins');
  if (!joins.every(isText)) throw new UnreadableError('a join without a name');
  return {
    left: sourceIn(given['left']),
    right: sourceIn(given['right']),
    joined: { table: textIn(recordIn(given['joined'], 'a joined table'), 'table') },
    on,
    joins,
  };
}

function sourceIn(given: unknown): DeclaredSource {
  const source = recordIn(given, 'a source');
  const { keep } = source;
  if (!isKeep(keep)) throw new UnreadableError(`keep ${shown(keep)}`);
  return {
    name: textIn(source, 'name'),
    table: textIn(source, 'table'),
    topicField: textIn(source, 'topicField'),
    keep,
  };
}

function columnIn(given: unknown): WireColumn {
  const column = recordIn(given, 'a column');
  const { type, key } = column;
  if (!isKind(type)) throw new UnreadableError(`a column of type ${shown(type)}`);
  if (key !== undefined && typeof key !== 'boolean') throw new UnreadableError(`key ${shown(key)}`);
  return {
    name: textIn(column, 'name'),
    type,
    ...(key === true ? { key } : {}),
    ...(column['source'] === undefined ? {} : { source: textIn(column, 'source') }),
  };
}

function changeIn(given: unknown): Change {
  const change = recordIn(given, 'a change');
  const at = change['at'] === undefined ? null : listIn(change, 'at');
  if (at !== null && !at.every(isCount)) throw new UnreadableError('a change at what is no row');
  const rows = listIn(change, 'rows');
  if (!rows.every(isRow)) throw new UnreadableError('a row that is no list');
  if (at !== null && at.length !== rows.length) throw new UnreadableError('a change at more or fewer rows');
  return {
    view: countIn(change, 'view'),
    look: countIn(change, 'look'),
    generation: change['generation'] === null ? null : countIn(change, 'generation'),
    size: countIn(change, 'size'),
    first: countIn(change, 'first'),
    at,
    rows,
  };
}

function recordIn(given: unknown, what: string): Record<string, unknown> {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new UnreadableError(`${what} that is ${shown(given)}`);
  }
  return given as Record<string, unknown>;
}

function textIn(record: Record<string, unknown>, name: string): string {
  const value = record[name];
  if (typeof value !== 'string') throw new UnreadableError(`${name} ${shown(value)}`);
  return value;
}

function countIn(record: Record<string, unknown>, name: string): number {
  const value = record[name];
  if (!isCount(value)) throw new UnreadableError(`${name} ${shown(value)}`);
  return value;
}

function listIn(record: Record<string, unknown>, name: string): readonly unknown[] {
  const value = record[name];
  if (!Array.isArray(value)) throw new UnreadableError(`${name} ${shown(value)}`);
  return value;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isPair(value: unknown): value is readonly [string, string] {
  return Array.isArray(value) && value.length === 2 && value.every(isText);
}

function isRow(value: unknown): value is WireRow {
  return Array.isArray(value);
}

function isRole(value: unknown): value is Role {
  return ROLES.includes(value);
}

function isKeep(value: unknown): value is Keep {
  return KEEPS.includes(value);
}

function isKind(value: unknown): value is ColumnKind {
  return KINDS.includes(value);
}

/** Enough of it to be recognised in a line of the console. */
function shown(value: unknown): string {
  return value === undefined ? 'missing' : JSON.stringify(value).slice(0, 60);
}
