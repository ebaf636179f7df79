import { describe, expect, it } from 'vitest';
import { SettingsError } from '../src/errors';
import { checkedKey, checkedTableName, effectiveSettings, serverAddress } from '../src/settings';

describe('settings', () => {
  it('have a default for everything but the address', () => {
    expect(effectiveSettings({ url: 'host' })).toMatchObject({ url: 'host', lingerMs: 2_000 });
    expect(effectiveSettings({ url: 'host', lingerMs: 100 }).lingerMs).toBe(100);
  });

  it('accept an address with or without scheme, port, path and trailing slash', () => {
    expect(serverAddress('http://127.0.0.1:8080/')).toBe('http://127.0.0.1:8080');
    expect(serverAddress(' tables.example.org:8443 ')).toBe('http://tables.example.org:8443');
    expect(serverAddress('localhost:8080')).toBe('http://localhost:8080');
    expect(serverAddress('https://example.org/livejoin/')).toBe('https://example.org/livejoin');
  });

  it('say what to set where the address is missing or cannot be right', () => {
    expect(() => serverAddress('  ')).toThrow(SettingsError);
    expect(() => serverAddress('ftp://example.org')).toThrow('expected something like http://host:8080');
    expect(() => serverAddress('http://')).toThrow(SettingsError);
  });

  it('let nothing but identifiers pass as table names', () => {
    expect(checkedTableName('final_ui')).toBe('final_ui');
    for (const name of ['', '1st', 'a/b', 'a b', '../x'])
      expect(() => checkedTableName(name)).toThrow(SettingsError);
  });

  it('say what to set where the key is missing', () => {
    expect(checkedKey('k')).toBe('k');
    expect(() => checkedKey(' ')).toThrow('set "key"');
  });
});
