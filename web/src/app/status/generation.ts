import type { Topics } from '../declaration/declared';
import { numberIn, textIn, timeIn, type RowRecord } from '../records';

/** A row of the table `generations`. */
export interface Generation extends Topics {
  readonly number: number;
  readonly state: string;
  readonly joinType: string;
  readonly message: string;
  /** When one that lingers is closed, in milliseconds since 1970. */
  readonly until: number | null;
  readonly done: number | null;
  readonly total: number | null;
  readonly rate: number | null;
  readonly secondsLeft: number | null;
  /** Why its rows may stand still although the connection is well; empty where they do not. */
  readonly trouble: string;
}

export function generationOf(row: RowRecord, { left, right }: Topics): Generation {
  return {
    number: numberIn(row, 'generation') ?? 0,
    state: textIn(row, 'state'),
    left,
    right,
    joinType: textIn(row, 'joinType'),
    message: textIn(row, 'message'),
    until: timeIn(row, 'until'),
    done: numberIn(row, 'done'),
    total: numberIn(row, 'total'),
    rate: numberIn(row, 'rate'),
    secondsLeft: numberIn(row, 'secondsLeft'),
    trouble: textIn(row, 'trouble'),
  };
}

/** As a person would call it. */
export function nameOf({ left, right, joinType }: Generation): string {
  return `${left} and ${right}, ${joinType} join`;
}
