import { SettingsError } from './errors';

export interface LivejoinSettings {
  /** Address of the table server, for example `http://127.0.0.1:10000`; the scheme and a trailing slash are optional. */
  readonly url: string;
  /** How often the table server may send a changed viewport. */
  readonly updateIntervalMs?: number;
  /** How long a viewport that nobody watches stays open, so that a change of route does not fetch it again. */
  readonly lingerMs?: number;
  /** Limit for a login. A server that is starting never answers, so this is also how late its start is noticed. */
  readonly loginWithinMs?: number;
  /** Limit for every other answer of the table server. */
  readonly answerWithinMs?: number;
  /** After how much silence the server is asked whether it is still there. */
  readonly silenceMs?: number;
  /** Limit for the answer to that. */
  readonly aliveWithinMs?: number;
  /** How many rows one viewport may have. Observers of one view whose windows lie further apart cannot all be served. */
  readonly viewportRows?: number;
}

export type EffectiveSettings = Required<LivejoinSettings>;

const DEFAULTS = {
  updateIntervalMs: 20,
  lingerMs: 2_000,
  loginWithinMs: 4_000,
  answerWithinMs: 10_000,
  silenceMs: 5_000,
  aliveWithinMs: 4_000,
  viewportRows: 2_000,
};

export function effectiveSettings(settings: LivejoinSettings): EffectiveSettings {
  return { ...DEFAULTS, ...settings };
}

/** The origin (and path, behind a proxy) of the table server, without a trailing slash. */
export function serverAddress(given: string): string {
  const text = given.trim();
  if (text === '') {
    throw new SettingsError('No table server is configured: set "url" to its address.');
  }
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
  const withScheme = hasScheme ? text : `http://${text}`;
  const url = URL.canParse(withScheme) ? new URL(withScheme) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === '') {
    throw new SettingsError(
      `"${given}" is not the address of a table server: expected something like http://host:10000.`,
    );
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

/** A key that is missing is not worth a question to the server. */
export function checkedKey(key: string): string {
  if (key.trim() === '') {
    throw new SettingsError('There is no key: set "key", or call connect(key) when the person has typed it.');
  }
  return key;
}

/** Names end up in a ticket path on the server, so nothing but an identifier may pass. */
export function checkedTableName(name: string): string {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    throw new SettingsError(`"${name}" is not a table name: letters, digits and underscores only.`);
  }
  return name;
}
