import { expect, it, vi } from 'vitest';
import { LivejoinHub } from '../src/hub';

it('is where a hub lives without a browser: a table is loading, and nothing is opened or left behind', async () => {
  expect(typeof window).toBe('undefined');
  const socket = vi.fn();
  vi.stubGlobal('WebSocket', socket);
  const hub = new LivejoinHub({ url: 'http://127.0.0.1:8080' });
  hub.connect('the key');
  const observer = hub.observe({ table: 'final_ui' });
  observer.setWindow({ first: 0, last: 9 });
  await Promise.resolve();
  expect(observer.snapshot.value.state.kind).toBe('loading');
  hub.dispose();
  vi.unstubAllGlobals();
  expect(socket).not.toHaveBeenCalled();
});
