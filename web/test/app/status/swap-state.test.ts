import { describe, expect, it } from 'vitest';
import type { Generation } from '../../../src/app/status/generation';
import { newestBuilding, swapState } from '../../../src/app/status/swap-state';

const written = (count: number): string => count.toLocaleString('en');

function generation(number: number, state: string, more: Partial<Generation> = {}): Generation {
  const numbers = { done: null, total: null, rate: null, secondsLeft: null };
  const topics = { left: `u${String(number)}`, right: 'a', joinType: 'left' };
  return { number, state, message: '', trouble: '', until: null, ...topics, ...numbers, ...more };
}

describe('what is said about a swap', () => {
  it('is nothing while one generation is live', () => {
    expect(swapState([generation(1, 'live')], 1, written)).toBeNull();
    expect(swapState([], null, written)).toBeNull();
  });

  it('is its stage, and its progress as soon as there are numbers', () => {
    const unknown = swapState([generation(1, 'live'), generation(2, 'backfilling')], 1, written);
    expect([unknown?.kind, unknown?.fraction, unknown?.detail]).toEqual(['building', null, '']);
    expect(unknown?.title).toBe('Swapping to u2 and a, left join: reading and joining what the topics hold');
    const numbers = { done: 1_500, total: 6_000, rate: 750, secondsLeft: 6 };
    const known = swapState([generation(1, 'live'), generation(2, 'backfilling', numbers)], 1, written);
    expect([known?.fraction, known?.detail]).toEqual([
      0.25,
      '1,500 of 6,000 events · 750 per second · 6\u00a0s left',
    ]);
    expect(known?.title).toBe(unknown?.title);
  });

  it('is of the newest where several are on their way', () => {
    const coming = [generation(2, 'backfilling'), generation(3, 'requested'), generation(1, 'live')];
    expect(newestBuilding(coming)?.number).toBe(3);
    expect(swapState(coming, 1, written)?.title).toBe(
      'Swapping to u3 and a, left join: looking for its topics',
    );
    expect(newestBuilding([generation(1, 'live')])).toBeNull();
  });

  it('is a way back as long as the one before lingers', () => {
    const state = swapState(
      [generation(1, 'lingering', { until: 5_000 }), generation(2, 'live')],
      2,
      written,
    );
    expect([state?.kind, state?.title, state?.detail, state?.until]).toEqual([
      'lingering',
      'Now showing u2 and a, left join',
      'in place of u1 and a, left join',
      5_000,
    ]);
  });

  it('does not say that something is shown before it is', () => {
    const state = swapState([generation(1, 'lingering'), generation(2, 'live')], 1, written);
    expect([state?.kind, state?.title]).toEqual(['building', 'Swapping to u2 and a, left join: showing it']);
  });

  it('is what to do where something is broken', () => {
    const recovering = swapState(
      [generation(1, 'recovering', { message: 'the topic u1 is gone' })],
      1,
      written,
    );
    expect(recovering?.kind).toBe('recovering');
    expect(recovering?.detail).toMatch(/^The topic u1 is gone\. The rows stay\./);
    const failed = swapState([generation(1, 'live'), generation(2, 'failed')], 1, written);
    expect([failed?.kind, failed?.detail, failed?.readAs]).toEqual([
      'failed',
      'What was live still is. Mend the cause and send the swap again.',
      'failed 2',
    ]);
  });

  it('is what a build waits for while it has no numbers', () => {
    const message = "the broker has no topic 'u2'; waiting for it";
    const state = swapState([generation(1, 'live'), generation(2, 'requested', { message })], 1, written);
    expect(state?.detail).toBe("The broker has no topic 'u2'; waiting for it.");
  });
});
