// @vitest-environment happy-dom
import '../../../projects/livejoin-angular/test/angular';
import { provideZonelessChangeDetection } from '@angular/core';
import { TestBed } from '@angular/core/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ControlDesk } from '../../../src/app/control/control-desk';
import { ControlKey } from '../../../src/app/control/control-key';
import { PAGE_CONFIG } from '../../../src/app/page-config';

describe('the control desk', () => {
  const asked = vi.fn<(path: string, init: RequestInit) => Promise<Response>>();

  beforeEach(() => {
    vi.stubGlobal('fetch', asked);
    TestBed.configureTestingModule({
      providers: [
        provideZonelessChangeDetection(),
        {
          provide: PAGE_CONFIG,
          useValue: { controlNeedsOwnKey: true, problem: null },
        },
      ],
    });
    TestBed.inject(ControlKey).remember('for-operators');
  });

  afterEach(() => {
    TestBed.resetTestingModule();
    vi.unstubAllGlobals();
    sessionStorage.clear();
    asked.mockReset();
  });

  function answers(status: number, body: unknown): void {
    asked.mockResolvedValue(new Response(JSON.stringify(body), { status }));
  }

  it('sends a message with the control key and returns its id', async () => {
    answers(200, { id: 'x1' });
    const answer = await TestBed.inject(ControlDesk).send({ rollback: true });
    expect(answer).toEqual({ ok: true, value: 'x1' });
    const [path, init] = asked.mock.calls[0] ?? [];
    expect([path, init?.body]).toEqual(['control/message', '{"rollback":true}']);
    expect(init?.headers).toMatchObject({ authorization: 'Bearer for-operators' });
  });

  it('says in words why nothing was sent', async () => {
    answers(400, { error: 'usersTopic is empty' });
    expect(await TestBed.inject(ControlDesk).send({ rollback: true })).toEqual({
      ok: false,
      isRefused: false,
      problem: 'usersTopic is empty. Nothing was sent.',
    });
    asked.mockRejectedValue(new TypeError('no network'));
    const answer = await TestBed.inject(ControlDesk).topics();
    expect(!answer.ok && answer.problem).toMatch(/does not answer/);
  });

  it('forgets a control key that was refused', async () => {
    answers(401, { error: 'this needs the control key' });
    const answer = await TestBed.inject(ControlDesk).topics();
    expect(!answer.ok && answer.isRefused).toBe(true);
    expect(TestBed.inject(ControlKey).value()).toBe('');
  });
});
