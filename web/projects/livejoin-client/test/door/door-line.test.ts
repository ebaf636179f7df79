import { FakeEnvironment } from 'livejoin-client/testing';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { DoorLine } from '../../src/door/door-line';
import { KeyRefusedError, ServerError, type LivejoinError } from '../../src/errors';
import type { ServerMessage } from '../../src/door/wire';
import { ADDRESS, FakeDoor, type FakeSocket } from './fake-door';

describe('DoorLine', () => {
  let line: DoorLine;
  let socket: FakeSocket;
  let heard: ServerMessage[];
  let ends: LivejoinError[];

  beforeEach(() => {
    const environment = new FakeEnvironment();
    const door = new FakeDoor(environment);
    heard = [];
    ends = [];
    line = new DoorLine(environment, ADDRESS);
    line.hear({ heard: (message) => heard.push(message), ended: (why) => ends.push(why) });
    socket = door.latest;
  });

  it.each([
    ['http://127.0.0.1:8080', 'ws://127.0.0.1:8080/tables'],
    ['https://example.org/below/a/proxy', 'wss://example.org/below/a/proxy/tables'],
  ])('of %s goes to %s', (address, url) => {
    const environment = new FakeEnvironment();
    const door = new FakeDoor(environment);
    new DoorLine(environment, address).close();
    expect(door.latest.url).toBe(url);
  });

  it('keeps what is said before it is open, and then says it in order', () => {
    line.say({ do: 'login', key: 'k' });
    line.say({ do: 'ping', id: 1 });
    expect(socket.said).toEqual([]);
    socket.open();
    line.say({ do: 'ping', id: 2 });
    expect(socket.said).toEqual([
      { do: 'login', key: 'k' },
      { do: 'ping', id: 1 },
      { do: 'ping', id: 2 },
    ]);
  });

  it('says nothing after its end', () => {
    socket.open();
    socket.drop();
    line.say({ do: 'ping', id: 1 });
    expect(socket.said).toEqual([]);
  });

  it('tells a server that is not there from one that is gone', () => {
    socket.drop();
    expect(ends).toEqual([new ServerError('The table server at http://host:8080 is not reachable.')]);
  });

  it('ends once', () => {
    socket.open();
    socket.drop();
    socket.drop();
    line.breakOff(new ServerError('twice'));
    expect(ends).toEqual([new ServerError('The connection to the table server was lost.')]);
  });

  it('knows by the code of the end that it is the key', () => {
    socket.open();
    socket.drop(4401);
    expect(ends).toEqual([new KeyRefusedError()]);
  });

  it('is silent after its owner has closed it', () => {
    socket.open();
    line.close();
    socket.say({ is: 'pong', id: 1 });
    socket.drop();
    expect([heard, ends, socket.state]).toEqual([[], [], 'closed']);
  });

  it('is not opened any more after it was closed', () => {
    line.say({ do: 'login', key: 'k' });
    line.close();
    socket.open();
    expect(socket.said).toEqual([]);
  });

  it.each([
    ['no JSON', '{'],
    ['no text', new ArrayBuffer(1)],
    ['a message that is "goodbye"', '{"is":"goodbye"}'],
  ])('ends with a reason at what it cannot read: %s', (reason, data) => {
    socket.open();
    socket.sayRaw(data);
    expect(socket.state).toBe('closed');
    expect(ends[0]?.message).toContain(reason);
  });

  it('does not take a mistake of its listener for one of the server', () => {
    line.hear({
      heard: () => {
        throw new TypeError('a mistake');
      },
      ended: vi.fn(),
    });
    socket.open();
    expect(() => {
      socket.say({ is: 'pong', id: 1 });
    }).toThrow('a mistake');
    expect(line.hasEnded).toBe(false);
  });
});
