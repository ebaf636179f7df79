import { describe, expect, it } from 'vitest';
import { freshnessOf, type SourceReach } from '../../../src/app/status/freshness';

const NOW = 1_000_000;
const REACH: SourceReach = {
  source: 'users',
  position: 100,
  end: 100,
  newest: NOW - 2_000,
  arrived: NOW - 1_900,
  waitingSince: null,
};

const written = (count: number): string => count.toLocaleString('en');

function textOf(known: Partial<SourceReach>): string {
  const { kind, text } = freshnessOf({ ...REACH, ...known }, NOW, written);
  return `${kind}: ${text.replaceAll('\u00a0', ' ')}`;
}

describe('how old the data of a source are', () => {
  it('is the age of its newest event', () => {
    expect(textOf({})).toBe('fresh: 2 s ago');
  });

  it('says that a topic is silent, however often the server is heard', () => {
    expect(textOf({ newest: NOW - 189_000, arrived: NOW - 189_000 })).toBe('silent: no event for 3 min');
    expect(textOf({ newest: null, arrived: null, position: 0, end: 0 })).toBe('silent: no event yet');
  });

  it('says that events wait as soon as one has for long', () => {
    expect(textOf({ end: 2_265, waitingSince: NOW - 40_000 })).toBe('behind: 2,165 behind');
    expect(textOf({ end: 103, waitingSince: NOW - 500 })).toBe('fresh: 2 s ago');
  });

  it('tells the age of what is sent late, and is not misled by a clock that is fast', () => {
    expect(textOf({ newest: NOW - 86_400_000 * 3, arrived: NOW - 1_000 })).toBe('fresh: 3 d ago');
    expect(textOf({ newest: NOW + 5_000, arrived: NOW - 1_000 })).toBe('fresh: < 1 s ago');
    expect(textOf({ newest: NOW + 5_000, arrived: NOW - 120_000 })).toBe('silent: no event for 2 min');
  });

  it('claims nothing where nobody tells', () => {
    expect(freshnessOf(null, NOW, written)).toMatchObject({ kind: 'unknown', text: '' });
    expect(textOf({ newest: null, arrived: null })).toBe('unknown: ');
  });
});
