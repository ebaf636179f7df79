import type { Declaration } from 'livejoin-angular';
import type { SplitName } from '../layout/split';
import type { Side } from './declared';
import { headingOf, spoken } from './words';

/** A place on the page: the table that is there, and behind it the one that will be. */
export interface Place {
  readonly side: Side;
  /** Empty before it is known what is joined. */
  readonly tables: readonly PlacedTable[];
  /** What is between it and the next place; null behind the last one. */
  readonly line: Line | null;
}

export interface PlacedTable {
  readonly name: string;
  readonly heading: string;
  readonly isComing: boolean;
}

export interface Line {
  readonly area: string;
  readonly name: SplitName;
  readonly label: string;
}

/** The join is what people come for: it is first, and has the most room. */
export function placesOf(shown: Declaration | null, told: Declaration | null): readonly Place[] {
  const [one, other] = shown === null ? ['one source', 'the other'] : [shown.left.name, shown.right.name];
  const between = {
    area: 'between',
    name: 'columns',
    label: 'Room for the joined table and its sources',
  } as const;
  const across = {
    area: 'across',
    name: 'rows',
    label: `Room for ${spoken(one)} and ${spoken(other)}`,
  } as const;
  return [
    { side: 'joined', tables: tablesAt('joined', shown, told), line: between },
    { side: 'left', tables: tablesAt('left', shown, told), line: across },
    { side: 'right', tables: tablesAt('right', shown, told), line: null },
  ];
}

/** A table that stays where it is, is there once. */
function tablesAt(side: Side, shown: Declaration | null, told: Declaration | null): readonly PlacedTable[] {
  const here = shown === null ? [] : [{ ...tableAt(side, shown), isComing: false }];
  const next = shown === null || told === null ? [] : [{ ...tableAt(side, told), isComing: true }];
  return [...here, ...next.filter(({ name }) => here.every((table) => table.name !== name))];
}

function tableAt(side: Side, declaration: Declaration): Omit<PlacedTable, 'isComing'> {
  if (side === 'joined') return { name: declaration.joined.table, heading: 'Joined' };
  const { table, name } = declaration[side];
  return { name: table, heading: headingOf(name) };
}
