import { FakeEnvironment, FakeSession, FakeTableServer, settle } from 'livejoin-client/testing';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { TableHandle } from '../../src/table-server';
import { TableFetch } from '../../src/view/table-fetch';
import { viewOf } from '../../src/view/view-description';

describe('TableFetch', () => {
  let environment: FakeEnvironment;
  let server: FakeTableServer;
  let session: FakeSession;
  let fetch: TableFetch;
  const lost = vi.fn();

  beforeEach(() => {
    environment = new FakeEnvironment();
    server = new FakeTableServer();
    server.show('final_ui', [['u1', 1]]);
    session = new FakeSession(server);
    lost.mockReset();
    const listener = { opened: vi.fn(), page: vi.fn(), lost };
    fetch = new TableFetch(viewOf({ table: 'final_ui' }), environment, 10_000, listener);
  });

  it('does not wait for ever for a table, tries again, and closes one that comes too late', async () => {
    let answer: (handle: TableHandle) => void = () => undefined;
    const late = { close: vi.fn() };
    vi.spyOn(session, 'fetchTable').mockReturnValueOnce(
      new Promise((answered) => {
        answer = answered;
      }),
    );
    fetch.attach(session);
    await environment.pass(10_000);
    expect(lost).toHaveBeenCalledExactlyOnceWith('Opening final_ui took longer than 10 s.');
    await environment.pass(200);
    expect(fetch.handle).not.toBeNull();
    answer(late as unknown as TableHandle);
    await settle();
    expect(late.close).toHaveBeenCalledOnce();
  });

  it('has one handle, whatever is asked of it', async () => {
    fetch.attach(session);
    fetch.refresh();
    await settle();
    fetch.refresh();
    await settle();
    expect(session.handles.filter(({ isOpen }) => isOpen)).toHaveLength(1);
    fetch.detach();
    expect(session.handles.filter(({ isOpen }) => isOpen)).toHaveLength(0);
  });
});
