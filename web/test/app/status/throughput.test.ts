import { describe, expect, it } from 'vitest';
import { curvePoints, scaleOf, Throughput, type Reach } from '../../../src/app/status/throughput';

const at = (position: number, end = position, of = 'a'): Reach => ({ of, position, end });

/** Looks twice a second while the server counts once a second, as the page does. */
function watched(perSecond: number, seconds: number, from = Throughput.NONE): Throughput {
  let throughput = from;
  for (let ms = 0; ms <= seconds * 1_000; ms += 500) {
    throughput = throughput.with(at(perSecond * Math.floor(ms / 1_000)), ms);
  }
  return throughput;
}

describe('Throughput', () => {
  it('knows nothing before there is something to compare', () => {
    expect([Throughput.NONE.rate, Throughput.NONE.lag]).toEqual([null, null]);
    expect(Throughput.NONE.with(at(1_000), 0).rate).toBeNull();
  });

  it('is the events of a second, without the rhythm in which they are counted', () => {
    const { rate, curve } = watched(200, 30);
    expect(rate).toBeGreaterThan(150);
    expect(rate).toBeLessThan(250);
    expect(Math.min(...curve.slice(10))).toBeGreaterThan(100);
  });

  it('goes down to nothing when nothing comes', () => {
    let throughput = watched(200, 10);
    for (let ms = 10_500; ms <= 15_000; ms += 500) throughput = throughput.with(at(2_000), ms);
    expect(throughput.rate).toBe(0);
  });

  it('keeps a minute and no more', () => {
    expect(watched(10, 300).curve.length).toBeLessThanOrEqual(121);
  });

  it('is the number of events that wait, and never less than none', () => {
    expect(Throughput.NONE.with(at(10, 25), 0).lag).toBe(15);
    expect(Throughput.NONE.with(at(25, 10), 0).lag).toBe(0);
  });

  it('begins anew with other topics, instead of taking their offsets for events', () => {
    const other = watched(200, 10).with(at(5_000_000, 5_000_000, 'b'), 10_500);
    expect([other.rate, other.curve]).toEqual([null, []]);
    expect(other.with(at(5_000_100, 5_000_100, 'b'), 11_500).rate).toBe(100);
  });

  it('is drawn from the right, on a scale whose top is a round number that does not follow every value', () => {
    expect(curvePoints([0, 5, 10], 20, 5, 40, 20)).toBe('20.0,20.0 30.0,15.0 40.0,10.0');
    expect(curvePoints([], 1, 5, 40, 20)).toBe('');
    expect([[], [0.2], [1], [3], [41, 47], [51], [1_000], [1_001]].map(scaleOf)).toEqual([
      1, 1, 1, 5, 50, 100, 1_000, 2_000,
    ]);
  });
});
