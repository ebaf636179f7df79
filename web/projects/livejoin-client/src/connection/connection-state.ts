import type { Rights } from '../table-server';

/**
 *            open             logged in
 *   idle ───────────► connecting ─────────► live
 *    ▲                  │  │  ▲              │ lost
 *    │ close            │  │  └─ open ──┐    ▼
 *    └── (from all)     │  └──► reconnecting ◄──┐
 *                       ▼           │   └───────┘ another try failed
 *               refused, failed ◄───┘
 *
 * `live` leads to `refused`, too, where the key was withdrawn.
 * `refused` and `failed` wait for a person: a wrong key or a wrong address does not become right by trying again.
 * To open without a key leads to `failed` from anywhere.
 */
export type ConnectionState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live'; readonly since: number; readonly rights: Rights }
  | {
      readonly kind: 'reconnecting';
      /** Number of the try that is next or under way, from 1. */
      readonly attempt: number;
      /** When it starts; in the past while it is under way. */
      readonly nextTry: number;
      readonly reason: string;
    }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string };

type Kind = ConnectionState['kind'];

const ALLOWED: Readonly<Record<Kind, readonly Kind[]>> = {
  idle: ['connecting', 'failed'],
  connecting: ['live', 'reconnecting', 'refused', 'failed', 'idle', 'connecting'],
  live: ['reconnecting', 'refused', 'idle', 'connecting', 'failed'],
  reconnecting: ['live', 'reconnecting', 'refused', 'failed', 'idle', 'connecting'],
  refused: ['connecting', 'idle', 'failed'],
  failed: ['connecting', 'idle', 'failed'],
};

export function mayFollow(from: Kind, to: Kind): boolean {
  return ALLOWED[from].includes(to);
}
