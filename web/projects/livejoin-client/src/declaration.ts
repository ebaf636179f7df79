/** Which events of a source are rows: every one, or the newest of each key. */
export type Keep = 'all' | 'latest';

/** One of the two topics that are joined. */
export interface DeclaredSource {
  readonly name: string;
  /** The table that shows it. */
  readonly table: string;
  /** The field of a control message, and the column of livejoin's own tables, that has its topic. */
  readonly topicField: string;
  readonly keep: Keep;
}

/** What the server joins. Its columns are those of the tables, which say themselves where they come from. */
export interface Declaration {
  readonly left: DeclaredSource;
  readonly right: DeclaredSource;
  readonly joined: { readonly table: string };
  /** Pairs of columns, one of the left and one of the right, that are equal where rows belong together. */
  readonly on: readonly (readonly [left: string, right: string])[];
  /** The kinds of join that can be asked for. */
  readonly joins: readonly string[];
}

/** The tables of a declaration: left, right, joined. */
export function tablesOf({ left, right, joined }: Declaration): readonly [string, string, string] {
  return [left.table, right.table, joined.table];
}

export function sameDeclaration(a: Declaration | null, b: Declaration | null): boolean {
  return a === b || (a !== null && b !== null && textOf(a) === textOf(b));
}

function textOf({ left, right, joined, on, joins }: Declaration): string {
  const sources = [left, right].map(({ name, table, topicField, keep }) => [name, table, topicField, keep]);
  return JSON.stringify([sources, joined.table, on, joins]);
}
