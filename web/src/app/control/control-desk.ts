import { inject, Injectable } from '@angular/core';
import { sentence } from '../sentence';
import { ControlKey } from './control-key';

export type ControlMessage =
  | { readonly rollback: true }
  /** The topics in the fields that the declaration names, and `joinType`. */
  | Readonly<Record<string, string>>;

export type Answer<T> =
  | { readonly ok: true; readonly value: T }
  /** In words for the person who asked; `isRefused` where another key is needed. */
  | { readonly ok: false; readonly problem: string; readonly isRefused: boolean };

/** A key that is wrong, and one that may only look: either way another one is needed. */
const REFUSALS = [401, 403];

/** The server's side of the control panel. Never rejects: what went wrong is an answer too. */
@Injectable({ providedIn: 'root' })
export class ControlDesk {
  readonly #key = inject(ControlKey);

  /** The topics that can be sources. */
  async topics(): Promise<Answer<readonly string[]>> {
    const answer = await this.#ask('control/topics', {});
    if (!answer.ok) return answer;
    const { topics } = answer.value;
    const names = Array.isArray(topics) ? topics.filter((name) => typeof name === 'string') : [];
    return { ok: true, value: names };
  }

  /** The id by which the message is found in `control_raw`. */
  async send(message: ControlMessage): Promise<Answer<string>> {
    const answer = await this.#ask('control/message', { method: 'POST', body: JSON.stringify(message) });
    return answer.ok ? { ok: true, value: String(answer.value['id']) } : answer;
  }

  async #ask(path: string, init: RequestInit): Promise<Answer<Record<string, unknown>>> {
    try {
      const headers = { authorization: `Bearer ${this.#key.value()}`, 'content-type': 'application/json' };
      const response = await fetch(path, { ...init, headers, cache: 'no-store' });
      const body = (await response.json().catch(() => ({}))) as Record<string, unknown>;
      if (response.ok) return { ok: true, value: body };
      const isRefused = REFUSALS.includes(response.status);
      if (isRefused && this.#key.isOwn()) this.#key.forget();
      return { ok: false, problem: words(response.status, body['error']), isRefused };
    } catch {
      const problem = 'The server of this page does not answer. Nothing was sent; try again when it is back.';
      return { ok: false, problem, isRefused: false };
    }
  }
}

function words(status: number, error: unknown): string {
  const said =
    typeof error === 'string' && error !== '' ? error : `the server answered HTTP ${String(status)}`;
  const reason = sentence(said);
  if (status === 400) return `${reason} Nothing was sent.`;
  if (REFUSALS.includes(status)) return `${reason} Nothing was sent; enter the right key and try again.`;
  if (status === 503) return `${reason} Nothing was sent; try again in a moment.`;
  return reason;
}
