import { describe, expect, it } from 'vitest';
import { ownAddress } from '../../src/app/own-address';

describe('the address of livejoin', () => {
  it('is where the page is from', () => {
    expect(ownAddress('http://127.0.0.1:8080/')).toBe('http://127.0.0.1:8080');
    expect(ownAddress('https://example.org/below/a/proxy/')).toBe('https://example.org/below/a/proxy');
  });
});
