import { durationText } from '../duration';

/** How far one source has come, all of its partitions together. Times are milliseconds since 1970. */
export interface SourceReach {
  readonly source: string;
  readonly position: number;
  readonly end: number;
  /** The time of its newest event, as the event says it. */
  readonly newest: number | null;
  /** When that came. */
  readonly arrived: number | null;
  /** Since when the oldest event has been waiting that is not shown; null where none is. */
  readonly waitingSince: number | null;
}

export interface Freshness {
  readonly kind: 'fresh' | 'silent' | 'behind' | 'unknown';
  /** Beside the name of the topic. */
  readonly text: string;
  readonly explanation: string;
}

/** A topic without an event for as long as this is silent, which may be what its producers do. */
export const SILENT_MS = 60_000;
/** For as long as this an event may wait without a word: the server looks about once a second. */
export const BEHIND_MS = 10_000;

/** How old what is shown of a source is: by its newest event, never by when the server was last heard. */
export function freshnessOf(
  reach: SourceReach | null,
  now: number,
  written: (count: number) => string,
): Freshness {
  if (reach === null) return { kind: 'unknown', text: '', explanation: 'Not known yet' };
  const { position, end, newest, arrived, waitingSince } = reach;
  if (isBehind(reach, now)) {
    const waits = durationText(now - (waitingSince ?? now));
    return {
      kind: 'behind',
      text: `${written(end - position)} behind`,
      explanation: `Events of this topic are not shown yet; the oldest of them has waited for ${waits}`,
    };
  }
  if (newest === null && arrived === null) {
    const isEmpty = end === 0;
    return {
      kind: isEmpty ? 'silent' : 'unknown',
      text: isEmpty ? 'no event yet' : '',
      explanation: isEmpty ? 'Nothing was ever written to this topic' : 'The broker does not tell how old',
    };
  }
  const quietFor = arrived === null ? 0 : now - arrived;
  if (quietFor >= SILENT_MS) {
    return {
      kind: 'silent',
      text: `no event for ${durationText(quietFor)}`,
      explanation: 'Everything that this topic has is shown; nothing new has come',
    };
  }
  return {
    kind: 'fresh',
    text: `${durationText(Math.max(0, now - (newest ?? arrived ?? now)))} ago`,
    explanation: 'Age of the newest event of this topic',
  };
}

/** Whether events of it have been waiting for longer than a person would call at once. */
export function isBehind({ position, end, waitingSince }: SourceReach, now: number): boolean {
  return end > position && waitingSince !== null && now - waitingSince >= BEHIND_MS;
}
