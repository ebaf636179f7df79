// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { BrowserStore } from '../../src/app/browser-store';

class Full implements Storage {
  readonly length = 1;
  key = (): null => null;
  clear = (): void => undefined;
  removeItem = (): void => undefined;
  getItem = (): string => 'of before';
  setItem = (): void => {
    throw new DOMException('no room', 'QuotaExceededError');
  };
}

describe('what the browser keeps', () => {
  it('is read, overwritten and forgotten', () => {
    const store = new BrowserStore(() => sessionStorage);
    store.write('item', 'one');
    store.write('item', 'two');
    expect([store.read('item'), sessionStorage.getItem('item')]).toEqual(['two', 'two']);
    store.forget('item');
    expect([store.read('item'), sessionStorage.getItem('item')]).toEqual([null, null]);
  });

  it('is kept by the page where the browser forbids even a look', () => {
    const store = new BrowserStore(() => {
      throw new DOMException('blocked', 'SecurityError');
    });
    expect(store.read('item')).toBeNull();
    store.write('item', 'one');
    expect(store.read('item')).toBe('one');
    store.forget('item');
    expect(store.read('item')).toBeNull();
  });

  it('is the newest also where the browser takes no more', () => {
    const full = new Full();
    const store = new BrowserStore(() => full);
    expect(store.read('item')).toBe('of before');
    store.write('item', 'newer');
    expect(store.read('item')).toBe('newer');
  });
});
