import { momentNamed } from '../../projects/livejoin-angular/src/live-table/moment-text';
import { describe, expect, it } from 'vitest';
import { withNamedTimes } from '../../src/app/named-times';

describe('a sentence of the server', () => {
  it('has its points in time as the page writes them', () => {
    const formats = { moment: (at: Parameters<typeof momentNamed>[0]) => momentNamed(at, 'UTC') };
    expect(withNamedTimes('silent since 2024-05-17T10:30:00+02:00: rows may stand still', formats)).toBe(
      'silent since 2024-05-17 08:30:00 UTC: rows may stand still',
    );
    expect(withNamedTimes('the topic orders-2024-05-17 is gone', formats)).toBe(
      'the topic orders-2024-05-17 is gone',
    );
  });
});
