/** How far the sources have been read and how far they reach, all partitions together. */
export interface Reach {
  /** What is being read; another text means that the numbers before are those of something else. */
  readonly of: string;
  readonly position: number;
  readonly end: number;
}

interface Sample extends Reach {
  readonly at: number;
}

/** The server counts about once a second, so a shorter time would show its rhythm and not that of the events. */
const RATE_MS = 3_000;
const KEPT_MS = 60_000;

/** Events per second of the last minute, from positions that are looked at about twice a second. */
export class Throughput {
  readonly #samples: readonly Sample[];

  private constructor(
    samples: readonly Sample[],
    /** Per second, from the oldest to the newest. */
    readonly curve: readonly number[],
  ) {
    this.#samples = samples;
  }

  static readonly NONE = new Throughput([], []);

  /** Null before there is anything to tell it from. */
  get rate(): number | null {
    return this.curve.at(-1) ?? null;
  }

  /** Events that have arrived and are not shown yet. */
  get lag(): number | null {
    const newest = this.#samples.at(-1);
    return newest === undefined ? null : Math.max(0, newest.end - newest.position);
  }

  with(reach: Reach, at: number): Throughput {
    const newest = this.#samples.at(-1);
    const isOther = newest !== undefined && (newest.of !== reach.of || reach.position < newest.position);
    const before = isOther ? Throughput.NONE : this;
    const samples = [...before.#samples, { ...reach, at }].filter((sample) => at - sample.at <= 2 * RATE_MS);
    const then = samples.find((sample) => at - sample.at <= RATE_MS);
    if (then === undefined || at - then.at < RATE_MS / 3) return new Throughput(samples, before.curve);
    const rate = (reach.position - then.position) / ((at - then.at) / 1_000);
    const steps = Math.ceil(KEPT_MS / Math.max(1, at - (newest?.at ?? at)));
    return new Throughput(samples, [...before.curve, rate].slice(-Math.min(steps, 240)));
  }
}

/** The curve as the points of an SVG line, as high as its highest value. */
export function curvePoints(curve: readonly number[], slots: number, width: number, height: number): string {
  const most = Math.max(1, ...curve);
  const shown = curve.slice(-slots);
  const step = width / Math.max(1, slots - 1);
  const start = width - (shown.length - 1) * step;
  return shown
    .map(
      (value, index) =>
        `${(start + index * step).toFixed(1)},${(height - (value / most) * height).toFixed(1)}`,
    )
    .join(' ');
}
