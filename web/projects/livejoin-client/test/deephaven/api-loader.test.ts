import { describe, expect, it } from 'vitest';
import { ApiLoader } from '../../src/deephaven/api-loader';
import { FakeEnvironment } from 'livejoin-client/testing';
import { FakeDeephaven } from './fake-deephaven';

describe('ApiLoader', () => {
  it('loads the library once from the server that it belongs to', async () => {
    const environment = new FakeEnvironment();
    const { api } = new FakeDeephaven();
    environment.module = () => Promise.resolve({ default: api });
    const loader = new ApiLoader(environment);
    await Promise.all([loader.load('http://host'), loader.load('http://host')]);
    expect(await loader.load('http://host')).toBe(api);
    expect(environment.imports).toEqual(['http://host/jsapi/dh-core.js']);
  });

  it('tries again under another address, because browsers remember a failed import', async () => {
    const environment = new FakeEnvironment();
    const loader = new ApiLoader(environment);
    await expect(loader.load('http://host')).rejects.toThrow('http://host is not reachable');
    await expect(loader.load('http://host')).rejects.toThrow();
    expect(environment.imports).toEqual([
      'http://host/jsapi/dh-core.js',
      'http://host/jsapi/dh-core.js?try=1',
    ]);
  });

  it('does not take just any module for the library', async () => {
    const environment = new FakeEnvironment();
    environment.module = () => Promise.resolve({ default: {} });
    await expect(new ApiLoader(environment).load('http://host')).rejects.toThrow('not a table server');
  });
});
