import { numberIn, textIn, timeIn, type RowRecord } from '../records';

/** A row of the table `generations`. */
export interface Generation {
  readonly number: number;
  readonly state: string;
  readonly usersTopic: string;
  readonly accountsTopic: string;
  readonly joinType: string;
  readonly message: string;
  /** When one that lingers is closed, in milliseconds since 1970. */
  readonly until: number | null;
  readonly done: number | null;
  readonly total: number | null;
  readonly rate: number | null;
  readonly secondsLeft: number | null;
}

export function generationOf(row: RowRecord): Generation {
  return {
    number: numberIn(row, 'generation') ?? 0,
    state: textIn(row, 'state'),
    usersTopic: textIn(row, 'usersTopic'),
    accountsTopic: textIn(row, 'accountsTopic'),
    joinType: textIn(row, 'joinType'),
    message: textIn(row, 'message'),
    until: timeIn(row, 'until'),
    done: numberIn(row, 'done'),
    total: numberIn(row, 'total'),
    rate: numberIn(row, 'rate'),
    secondsLeft: numberIn(row, 'secondsLeft'),
  };
}

/** As a person would call it. */
export function nameOf({ usersTopic, accountsTopic, joinType }: Generation): string {
  return `${usersTopic} and ${accountsTopic}, ${joinType} join`;
}
