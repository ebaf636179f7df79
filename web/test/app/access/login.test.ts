// @vitest-environment happy-dom
import '../../../projects/livejoin-angular/test/angular';
import { provideZonelessChangeDetection } from '@angular/core';
import { TestBed } from '@angular/core/testing';
import { FakeEnvironment, FakeTableServer, provideFakeLivejoin, settle } from 'livejoin-angular/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Login } from '../../../src/app/access/login';
import { signInOffer } from '../../../src/app/access/sign-in-offer';

const asked = vi.fn<(path: string, init: RequestInit) => Promise<Response>>();

beforeEach(() => {
  vi.stubGlobal('fetch', asked);
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

describe('the login', () => {
  async function shown(): Promise<HTMLElement> {
    TestBed.configureTestingModule({
      providers: [
        provideZonelessChangeDetection(),
        provideFakeLivejoin(new FakeTableServer(), new FakeEnvironment()),
      ],
    });
    const fixture = TestBed.createComponent(Login);
    document.body.append(fixture.nativeElement as HTMLElement);
    await settle();
    await fixture.whenStable();
    return fixture.nativeElement as HTMLElement;
  }

  it('offers to sign in above the key, by a link that says with whom', async () => {
    answers(200, { name: 'Example <b>&' });
    const login = await shown();
    const link = login.querySelector<HTMLAnchorElement>('a[href="sign-in"]');
    expect(link?.textContent).toBe('Sign in with Example <b>&');
    expect(login.querySelector('.or')?.textContent).toBe('or');
    const field = login.querySelector('input');
    expect(field).not.toBeNull();
    // In the order of the tab key: first the link, then the field.
    expect([...login.querySelectorAll('a, input')]).toEqual([link, field]);
  });

  it('takes Enter in the moment in which a key was put in, before anything is drawn again', async () => {
    answers(404, {});
    const login = await shown();
    const submit = login.querySelector<HTMLButtonElement>('[data-testid="login-submit"]');
    // Browsers send no form whose button is disabled.
    expect(submit?.disabled).toBe(false);
  });

  it('is as ever where nobody can sign in, or the server does not say', async () => {
    answers(404, { error: 'nobody can sign in here' });
    const login = await shown();
    expect(asked.mock.calls[0]?.[0]).toBe('sign-in/offer');
    expect(login.querySelector('a, .or')).toBeNull();
    expect(login.textContent).toContain('Enter the key');
  });
});

describe('the offer to sign in', () => {
  it('is a name', async () => {
    answers(200, { name: 'Example' });
    expect(await signInOffer()).toBe('Example');
  });

  it('is none where there is no name, no JSON or no answer', async () => {
    for (const body of [{}, null, { name: 7 }, { name: '' }]) {
      answers(200, body);
      expect(await signInOffer()).toBeNull();
    }
    asked.mockResolvedValue(new Response('<!doctype html>'));
    expect(await signInOffer()).toBeNull();
    asked.mockRejectedValue(new TypeError('no network'));
    expect(await signInOffer()).toBeNull();
  });
});
