import { durationText } from '../duration';
import { sentence } from '../sentence';
import { nameOf, type Generation } from './generation';

/** What is going on beside or instead of plain life, in words; null fields are not shown. */
export interface SwapState {
  readonly kind: 'building' | 'lingering' | 'recovering' | 'failed';
  /** What a screen reader hears too: it changes with the stage, never with a number. */
  readonly title: string;
  readonly detail: string;
  /** From 0 to 1; null where there are no numbers. */
  readonly fraction: number | null;
  /** When the way back ends, in milliseconds since 1970. */
  readonly until: number | null;
  /** By what it is known as read, where it stays until somebody has; null of what goes by itself. */
  readonly readAs: string | null;
}

const STAGES: ReadonlyMap<string, string> = new Map([
  ['requested', 'looking for its topics'],
  ['validated', 'preparing'],
  ['backfilling', 'reading and joining what the topics hold'],
  ['loading', 'loading the tables'],
]);

/** What is on its way; where several are, the newest counts. */
export function newestBuilding(generations: readonly Generation[]): Generation | null {
  const building = generations.filter(({ state }) => STAGES.has(state));
  return building.sort((a, b) => b.number - a.number)[0] ?? null;
}

const PLAIN = { fraction: null, until: null, readAs: null } as const;

/**
 * Null where one generation is live and nothing else is to be said. A swap under way counts most, and it is under way
 * until the tables show it: `shown` is the generation of their rows.
 */
export function swapState(
  generations: readonly Generation[],
  shown: number | null,
  written: (count: number) => string,
): SwapState | null {
  const newestFirst = [...generations].sort((a, b) => b.number - a.number);
  const building = newestBuilding(generations);
  if (building !== null) return ofBuilding(building, written);
  const recovering = newestFirst.find(({ state }) => state === 'recovering');
  if (recovering !== undefined) {
    return {
      kind: 'recovering',
      title: `Updates of ${nameOf(recovering)} have stopped and are being started again`,
      detail:
        `${sentence(recovering.message)} The rows stay. A missing topic or broker is waited for; if this lasts, read logs/pipeline.log.`.trimStart(),
      ...PLAIN,
    };
  }
  const live = newestFirst.find(({ state }) => state === 'live');
  const lingering = newestFirst.find(({ state }) => state === 'lingering');
  if (live !== undefined && shown !== null && live.number !== shown) {
    return {
      kind: 'building',
      title: `Swapping to ${nameOf(live)}: showing it`,
      detail: '',
      ...PLAIN,
      fraction: 1,
    };
  }
  if (live !== undefined && lingering !== undefined) {
    return {
      kind: 'lingering',
      title: `Now showing ${nameOf(live)}`,
      detail: `in place of ${nameOf(lingering)}`,
      ...PLAIN,
      until: lingering.until,
    };
  }
  const failed = newestFirst[0];
  if (failed?.state !== 'failed') return null;
  return {
    kind: 'failed',
    title: `The swap to ${nameOf(failed)} failed`,
    detail:
      `${sentence(failed.message)} What was live still is. Mend the cause and send the swap again.`.trimStart(),
    ...PLAIN,
    readAs: `failed ${String(failed.number)}`,
  };
}

function ofBuilding(generation: Generation, written: (count: number) => string): SwapState {
  const { done, total, rate, secondsLeft, state, message } = generation;
  const hasNumbers = done !== null && total !== null && total > 0;
  const parts: string[] = [];
  if (hasNumbers) parts.push(`${written(done)} of ${written(total)} events`);
  if (hasNumbers && rate !== null && rate > 0) parts.push(`${written(Math.round(rate))} per second`);
  if (hasNumbers && secondsLeft !== null) parts.push(`${durationText(secondsLeft * 1_000)} left`);
  // What it waits for: a topic that is not there, or room.
  if (!hasNumbers && message !== '') parts.push(sentence(message));
  return {
    kind: 'building',
    title: `Swapping to ${nameOf(generation)}: ${STAGES.get(state) ?? state}`,
    detail: parts.join(' · '),
    ...PLAIN,
    fraction: hasNumbers ? Math.min(1, done / total) : null,
  };
}
