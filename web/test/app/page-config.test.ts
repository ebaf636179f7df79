import { describe, expect, it } from 'vitest';
import { pageConfig } from '../../src/app/page-config';

describe('the configuration of the page', () => {
  it('names the table server and may name an interval', () => {
    expect(
      pageConfig({ tableServer: 'http://host', updateIntervalMs: 50, controlNeedsOwnKey: true }),
    ).toEqual({
      url: 'http://host',
      timings: { updateIntervalMs: 50 },
      controlNeedsOwnKey: true,
      problem: null,
    });
    expect(pageConfig({ tableServer: 'http://host' })).toEqual({
      url: 'http://host',
      timings: {},
      controlNeedsOwnKey: false,
      problem: null,
    });
  });

  it('is a problem in words where it names no table server', () => {
    for (const given of [null, {}, { tableServer: '' }, { tableServer: 7 }]) {
      expect(pageConfig(given).problem).toBe('config.json does not name a table server.');
    }
  });
});
