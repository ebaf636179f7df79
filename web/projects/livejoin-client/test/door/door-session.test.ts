import { DECLARATION, FakeEnvironment, settle } from 'livejoin-client/testing';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { DoorSession } from '../../src/door/door-session';
import { KeyRefusedError, ServerError } from '../../src/errors';
import type { Page, TableHandle } from '../../src/table-server';
import { viewOf } from '../../src/view/view-description';
import { loggedIn, WELCOME, type FakeSocket } from './fake-door';

const FINAL = viewOf({ table: 'final_ui' });
const COLUMNS = [
  { name: 'userId', type: 'text' },
  { name: 'age', type: 'integer' },
];

describe('DoorSession', () => {
  let environment: FakeEnvironment;
  let session: DoorSession;
  let socket: FakeSocket;
  const lost = vi.fn();

  beforeEach(() => {
    environment = new FakeEnvironment();
    ({ session, socket } = loggedIn(environment));
    lost.mockReset();
    session.onLost(lost);
  });

  function opened(view: number): void {
    socket.say({ is: 'opened', view, columns: COLUMNS });
  }

  async function table(view = 1): Promise<TableHandle> {
    const opening = session.fetchTable(FINAL);
    opened(view);
    return opening;
  }

  function change(view: number, look: number, generation: number): unknown {
    return { view, look, generation, size: 1, first: 0, rows: [['u1', 36]] };
  }

  it('opens views under numbers of their own, with the whole description', async () => {
    const rich = viewOf({ table: 'final_ui', columns: ['age'], search: 'ada' });
    const openings = [session.fetchTable(rich), session.copyTable(FINAL)];
    expect(socket.said).toEqual([
      { do: 'open', view: 1, table: 'final_ui', columns: ['age'], search: 'ada' },
      { do: 'copy', view: 2, table: 'final_ui' },
    ]);
    opened(2);
    opened(1);
    const [first, second] = await Promise.all(openings);
    expect([first?.columns.length, second?.columns.length]).toEqual([1, 2]);
    expect(environment.pendingTimers).toBe(0);
  });

  it('does not say what would end the whole connection', async () => {
    const tooLong = viewOf({ table: 'final_ui', search: 'x'.repeat(5_000) });
    await expect(session.fetchTable(tooLong)).rejects.toThrow('A search has at most 4,096 characters.');
    expect(socket.said).toEqual([]);
  });

  it('tells what is joined, as often as that is said', () => {
    const heard: unknown[] = [];
    session.declaration.subscribe((declaration) => heard.push(declaration?.left.name));
    expect(session.declaration.value).toBeNull();
    socket.say({ is: 'declared', declaration: DECLARATION });
    expect(session.declaration.value).toEqual(DECLARATION);
    const left = { ...DECLARATION.left, name: 'orders' };
    socket.say({ is: 'declared', declaration: { ...DECLARATION, left } });
    expect(heard).toEqual(['events', 'orders']);
  });

  it('passes over the end of a view that was closed when it came', async () => {
    (await table()).close();
    socket.say({ is: 'failed', view: 1, reason: 'what is joined has changed' });
    expect(lost).not.toHaveBeenCalled();
  });

  it('passes on why a view cannot be opened', async () => {
    const opening = session.fetchTable(FINAL);
    socket.say({ is: 'failed', view: 1, reason: 'The table server has no final_ui yet.' });
    await expect(opening).rejects.toThrow(new ServerError('The table server has no final_ui yet.'));
    expect(environment.pendingTimers).toBe(0);
  });

  it('tells the one table that has failed, and never closes it', async () => {
    const [one, other] = [await table(1), await table(2)];
    const failed = vi.fn();
    one.onFailed(failed);
    other.onFailed(failed);
    socket.say({ is: 'failed', view: 1, reason: 'gone' });
    one.close();
    expect(failed.mock.calls).toEqual([['gone']]);
    expect(socket.said.filter((message) => message.do === 'close')).toEqual([]);
  });

  it('closes a view once, and hears no more of it', async () => {
    const handle = await table();
    const seen = vi.fn();
    handle.onPage(seen);
    handle.look(0, 9);
    handle.close();
    handle.close();
    socket.say({ is: 'rows', changes: [change(1, 1, 4)] });
    socket.say({ is: 'failed', view: 1, reason: 'too late' });
    expect(socket.said.filter((message) => message.do === 'close')).toEqual([{ do: 'close', view: 1 }]);
    expect([seen.mock.calls, lost.mock.calls]).toEqual([[], []]);
  });

  it('changes all tables of a message before the first of them shows it', async () => {
    const [one, other] = [await table(1), await table(2)];
    const pages: Page[] = [];
    one.look(0, 9);
    other.look(0, 9);
    one.onPage((page) => {
      pages.push(page);
      // Whoever closes another table on the way gets nothing of it any more.
      other.close();
    });
    other.onPage((page) => pages.push(page));
    socket.say({ is: 'rows', changes: [change(1, 1, 5), change(2, 1, 5)] });
    expect(pages).toEqual([{ offset: 0, size: 1, generation: 5, rows: [['u1', 36]] }]);
  });

  it('is alive when the server answers a ping', async () => {
    const probes = [session.probe(), session.probe()];
    expect(socket.said).toEqual([
      { do: 'ping', id: 1 },
      { do: 'ping', id: 2 },
    ]);
    socket.say({ is: 'pong', id: 2 });
    socket.say({ is: 'pong', id: 1 });
    await expect(Promise.all(probes)).resolves.toHaveLength(2);
  });

  it('reports one loss', () => {
    socket.drop();
    socket.drop();
    expect(lost.mock.calls).toEqual([[new ServerError('The connection to the table server was lost.')]]);
  });

  it.each([
    ['a second welcome', WELCOME],
    ['a view that nobody has asked for', { is: 'opened', view: 9, columns: [] }],
    ['a message that is "goodbye"', { is: 'goodbye' }],
  ])('is lost at what makes no sense: %s', (reason, message) => {
    socket.say(message);
    expect(socket.state).toBe('closed');
    expect(lost).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({
        name: 'UnreadableError',
        message: expect.stringContaining(reason) as string,
      }),
    );
  });

  it('is lost for the reason that the server gives', () => {
    socket.say({ is: 'refused', why: 'limit', reason: 'There is too much.' });
    expect(lost.mock.calls).toEqual([[new ServerError('There is too much.')]]);
  });

  it.each([
    [
      'by a closing frame',
      (): void => {
        socket.drop(4401);
      },
    ],
    [
      'by a message',
      (): void => {
        socket.say({ is: 'refused', why: 'key', reason: 'The key was withdrawn.' });
      },
    ],
  ])('tells a key that was withdrawn from a loss, %s', (_, withdraw) => {
    withdraw();
    expect(lost).toHaveBeenCalledExactlyOnceWith(expect.any(KeyRefusedError));
  });

  it('lets nobody wait when it is lost', async () => {
    const handle = await table();
    const failed = vi.fn();
    handle.onFailed(failed);
    const waiting = [session.fetchTable(FINAL), session.copyTable(FINAL), session.probe()];
    const outcomes = waiting.map((one) => expect(one).rejects.toThrow('was lost'));
    socket.drop();
    await Promise.all(outcomes);
    expect(failed.mock.calls).toEqual([['The connection to the table server was lost.']]);
    expect(environment.pendingTimers).toBe(0);
  });

  it('leaves tables alone that are closed by whoever hears of the loss', async () => {
    const handle = await table();
    const failed = vi.fn();
    handle.onFailed(failed);
    session.onLost(() => {
      session.close();
      handle.close();
    });
    socket.drop();
    await settle();
    expect(failed).not.toHaveBeenCalled();
  });

  it('reports no loss after it was closed, and lets nobody wait', async () => {
    const opening = expect(session.fetchTable(FINAL)).rejects.toThrow('was closed');
    session.close();
    await opening;
    socket.drop();
    await expect(session.probe()).rejects.toThrow('not connected');
    await expect(session.fetchTable(FINAL)).rejects.toThrow('not connected');
    expect([lost.mock.calls, socket.state, environment.pendingTimers]).toEqual([[], 'closed', 0]);
  });
});
