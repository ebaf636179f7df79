// @vitest-environment happy-dom
import { FakeApplication } from '../../../projects/livejoin-angular/test/angular';
import { inject } from '@angular/core';
import { TestBed } from '@angular/core/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ControlDesk } from '../../../src/app/control/control-desk';
import { ControlKey } from '../../../src/app/control/control-key';

describe('the control desk', () => {
  const asked = vi.fn<(path: string, init: RequestInit) => Promise<Response>>();

  let application: FakeApplication;

  beforeEach(async () => {
    vi.stubGlobal('fetch', asked);
    application = new FakeApplication();
    application.server.rights = { role: 'viewer', name: 'ana', mayExport: true };
    (await application.inject(() => inject(ControlKey))).remember('for-operators');
  });

  afterEach(() => {
    application.destroy();
    vi.unstubAllGlobals();
    sessionStorage.clear();
    asked.mockReset();
  });

  function answers(status: number, body: unknown): void {
    asked.mockResolvedValue(new Response(JSON.stringify(body), { status }));
  }

  it('sends a message with the control key and returns its id', async () => {
    answers(200, { id: 'x1' });
    const answer = await TestBed.inject(ControlDesk).send({ rollback: true }, 'x1');
    expect(answer).toEqual({ ok: true, value: 'x1' });
    const [path, init] = asked.mock.calls[0] ?? [];
    expect([path, init?.body]).toEqual(['control/message', '{"rollback":true,"id":"x1"}']);
    expect(init?.headers).toMatchObject({ authorization: 'Bearer for-operators' });
  });

  it('says in words why nothing was sent', async () => {
    answers(400, { error: 'usersTopic is empty' });
    expect(await TestBed.inject(ControlDesk).send({ rollback: true })).toEqual({
      ok: false,
      isRefused: false,
      problem: 'usersTopic is empty. Nothing was sent.',
      sent: 'no',
    });
    answers(503, { error: 'topic control is not on the broker', sent: false });
    expect(await TestBed.inject(ControlDesk).send({ rollback: true })).toMatchObject({
      problem: 'Topic control is not on the broker. Nothing was sent.',
      sent: 'no',
    });
  });

  it.each([
    ['the connection breaks', () => asked.mockRejectedValue(new TypeError('no network'))],
    ['a proxy gives up', () => asked.mockResolvedValue(new Response('<p>', { status: 502 }))],
    [
      'the broker falls silent',
      () => asked.mockResolvedValue(Response.json({ error: 'no Kafka broker' }, { status: 503 })),
    ],
  ])('does not claim to know what became of a message when %s', async (_, happens) => {
    happens();
    const answer = await TestBed.inject(ControlDesk).send({ rollback: true });
    expect(answer).toMatchObject({ ok: false, isRefused: false, sent: 'unknown' });
    expect(!answer.ok && answer.problem).toMatch(/ is not known: if it was, it appears in the log\.$/);
  });

  it('waits for an answer for a while, and not for ever', async () => {
    const deadline = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort());
    asked.mockImplementation((__, { signal }) =>
      signal?.aborted === true
        ? Promise.reject(new DOMException('late', 'TimeoutError'))
        : new Promise(() => undefined),
    );
    expect(await TestBed.inject(ControlDesk).send({ rollback: true })).toMatchObject({ sent: 'unknown' });
    expect(deadline).toHaveBeenCalledWith(15_000);
    deadline.mockRestore();
  });

  it.each([
    ['is wrong', 401, 'this needs the key of an operator'],
    ['may only look', 403, 'a viewer may look; this needs the key of an operator'],
  ])('forgets a control key that %s, and asks for another', async (_, status, error) => {
    answers(status, { error });
    expect(await TestBed.inject(ControlDesk).topics()).toEqual({
      ok: false,
      isRefused: true,
      sent: 'no',
      problem: expect.stringMatching(/operator\. Enter the right key\.$/) as string,
    });
    expect(await TestBed.inject(ControlDesk).send({ rollback: true })).toMatchObject({
      problem: expect.stringMatching(/ Nothing was sent; enter the right key and try again\.$/) as string,
    });
    expect(TestBed.inject(ControlKey).value()).toBe('');
  });
});
