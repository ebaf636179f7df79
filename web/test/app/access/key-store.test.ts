import { describe, expect, it, vi } from 'vitest';
import { takeKeyFromAddress } from '../../../src/app/access/key-store';

function take(hash: string) {
  const replaceState = vi.fn();
  const location = { hash, pathname: '/page', search: '?a=1' } as Location;
  const key = takeKeyFromAddress(location, { state: null, replaceState } as unknown as History);
  return { key, address: replaceState.mock.calls[0]?.[2] as string | undefined };
}

describe('a key in the address', () => {
  it('is taken and removed from the address bar', () => {
    expect(take('#key=s%2Bcret')).toEqual({ key: 's+cret', address: '/page?a=1' });
  });

  it('leaves the rest of the fragment alone', () => {
    expect(take('#table=final_ui&key=secret')).toEqual({
      key: 'secret',
      address: '/page?a=1#table=final_ui',
    });
  });

  it('is none where it is missing or empty, and an empty one is removed too', () => {
    expect(take('')).toEqual({ key: null, address: undefined });
    expect(take('#table=x')).toEqual({ key: null, address: undefined });
    expect(take('#key=')).toEqual({ key: null, address: '/page?a=1' });
  });
});
