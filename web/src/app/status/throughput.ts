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

const STEPS = [1, 2, 5, 10];

/** The top of the curve: a round number at or above its highest value, which stays the same while that varies a little. */
export function scaleOf(curve: readonly number[]): number {
  const most = Math.max(1, ...curve);
  const power = 10 ** Math.floor(Math.log10(most));
  return power * (STEPS.find((step) => step * power >= most) ?? 10);
}

/** The curve as the points of an SVG line; its top stands for `scale`, whatever its values are. */
export function curvePoints(
  curve: readonly number[],
  scale: number,
  slots: number,
  width: number,
  height: number,
): string {
  const step = width / Math.max(1, slots - 1);
  const start = width - (curve.length - 1) * step;
  return curve
    .map(
      (value, index) =>
        `${(start + index * step).toFixed(1)},${(height - (value / scale) * height).toFixed(1)}`,
    )
    .join(' ');
}
