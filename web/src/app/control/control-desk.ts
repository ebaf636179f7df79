import { inject, Injectable } from '@angular/core';
import { sentence } from '../sentence';
import { ControlKey } from './control-key';

export type ControlMessage =
  | { readonly rollback: true }
  /** The topics in the fields that the declaration names, and `joinType`. */
  | Readonly<Record<string, string>>;

/** Whether a message has reached the control topic; `unknown` where the answer was lost. */
export type Sent = 'no' | 'unknown';

export type Answer<T> =
  | { readonly ok: true; readonly value: T }
  /** In words for the person who asked; `isRefused` where another key is needed. */
  | { readonly ok: false; readonly problem: string; readonly isRefused: boolean; readonly sent: Sent };

/** A key that is wrong, and one that may only look: either way another one is needed. */
const REFUSALS = [401, 403];

/** Longer than a server that is well ever takes, and not longer than a person waits without a word. */
const DEADLINE_MS = 15_000;

/** The server's side of the control panel. Never rejects: what went wrong is an answer too. */
@Injectable({ providedIn: 'root' })
export class ControlDesk {
  readonly #key = inject(ControlKey);

  /** The topics that can be sources. */
  async topics(): Promise<Answer<readonly string[]>> {
    const answer = await this.#ask('control/topics', {});
    if (!answer.ok) {
      const problem = answer.isRefused ? `${answer.problem} Enter the right key.` : answer.problem;
      return { ...answer, problem };
    }
    const { topics } = answer.value;
    const names = Array.isArray(topics) ? topics.filter((name) => typeof name === 'string') : [];
    return { ok: true, value: names };
  }

  /** Sends a message under a name, by which it is found in `control_raw` whatever becomes of the answer. */
  async send(message: ControlMessage, id = newId()): Promise<Answer<string>> {
    const body = JSON.stringify({ ...message, id });
    const answer = await this.#ask('control/message', { method: 'POST', body });
    if (answer.ok) return { ok: true, value: id };
    return { ...answer, problem: `${answer.problem} ${whatFollows(answer)}` };
  }

  async #ask(path: string, init: RequestInit): Promise<Answer<Record<string, unknown>>> {
    try {
      const headers = { authorization: `Bearer ${this.#key.value()}`, 'content-type': 'application/json' };
      const signal = AbortSignal.timeout(DEADLINE_MS);
      const response = await fetch(path, { ...init, headers, signal, cache: 'no-store' });
      const body = (await response.json().catch(() => ({}))) as Record<string, unknown>;
      if (response.ok) return { ok: true, value: body };
      const isRefused = REFUSALS.includes(response.status);
      if (isRefused && this.#key.isOwn()) this.#key.forget();
      const sent = response.status < 500 || body['sent'] === false ? 'no' : 'unknown';
      return { ok: false, problem: words(response.status, body['error']), isRefused, sent };
    } catch {
      return {
        ok: false,
        problem: 'The server of this page did not answer.',
        isRefused: false,
        sent: 'unknown',
      };
    }
  }
}

/** A name that nobody else gives: made without what a browser has only at addresses with TLS. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function whatFollows({ isRefused, sent }: { isRefused: boolean; sent: Sent }): string {
  if (isRefused) return 'Nothing was sent; enter the right key and try again.';
  if (sent === 'no') return 'Nothing was sent.';
  return 'Whether the message was sent is not known: if it was, it appears in the log.';
}

function words(status: number, error: unknown): string {
  const said =
    typeof error === 'string' && error !== '' ? error : `the server answered HTTP ${String(status)}`;
  return sentence(said);
}
