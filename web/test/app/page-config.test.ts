import { describe, expect, it } from 'vitest';
import { ownAddress, pageConfig } from '../../src/app/page-config';

describe('the configuration of the page', () => {
  it('says whether control messages need a key of their own', () => {
    for (const controlNeedsOwnKey of [true, false]) {
      expect(pageConfig({ controlNeedsOwnKey })).toEqual({ controlNeedsOwnKey, problem: null });
    }
  });

  it('is a problem in words where it does not say so', () => {
    for (const given of [null, {}, 'a page of a proxy', { controlNeedsOwnKey: 'no' }]) {
      expect(pageConfig(given).problem).toMatch(/^config\.json does not say/);
    }
  });
});

describe('the address of livejoin', () => {
  it('is where the page is from', () => {
    expect(ownAddress('http://127.0.0.1:8080/')).toBe('http://127.0.0.1:8080');
    expect(ownAddress('https://example.org/below/a/proxy/')).toBe('https://example.org/below/a/proxy');
  });
});
