import { SettingsError } from './errors';

export interface LivejoinSettings {
  /** Address of livejoin, for example `http://127.0.0.1:8080`; the scheme and a trailing slash are optional. */
  readonly url: string;
  /** How long a viewport that nobody watches stays open, so that a change of route does not fetch it again. */
  readonly lingerMs?: number;
  /** Limit for a login. A server that is starting never answers, so this is also how late its start is noticed. */
  readonly loginWithinMs?: number;
  /** Limit for every other answer of the table server. */
  readonly answerWithinMs?: number;
  /** Limit for a copy of all rows, which the server has to filter and sort first. */
  readonly copyWithinMs?: number;
  /** After how much silence the server is asked whether it is still there. */
  readonly silenceMs?: number;
  /** Limit for the answer to that. */
  readonly aliveWithinMs?: number;
  /** How many rows one viewport may have. Observers of one view whose windows lie further apart cannot all be served. */
  readonly viewportRows?: number;
}

export type EffectiveSettings = Required<LivejoinSettings>;

const DEFAULTS = {
  lingerMs: 2_000,
  loginWithinMs: 4_000,
  answerWithinMs: 10_000,
  copyWithinMs: 120_000,
  silenceMs: 5_000,
  aliveWithinMs: 4_000,
  viewportRows: 2_000,
};

export function effectiveSettings(settings: LivejoinSettings): EffectiveSettings {
  return { ...DEFAULTS, ...settings };
}

/** The origin (and path, behind a proxy) of livejoin, without a trailing slash. */
export function serverAddress(given: string): string {
  const text = given.trim();
  if (text === '') {
    throw new SettingsError('There is no address to connect to: set "url" to that of livejoin.');
  }
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
  const withScheme = hasScheme ? text : `http://${text}`;
  const url = URL.canParse(withScheme) ? new URL(withScheme) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === '') {
    throw new SettingsError(
      `"${given}" is not the address of livejoin: expected something like http://host:8080.`,
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

/** No table has a name that is not an identifier, so no other is asked for. */
export function checkedTableName(name: string): string {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    throw new SettingsError(`"${name}" is not a table name: letters, digits and underscores only.`);
  }
  return name;
}
