import { durationText } from '../duration';

/** How long ago something was, as a person says it. */
export function agoText(at: number | null, now: number): string {
  if (at === null) return '–';
  return now - at < 1_000 ? 'just now' : `${durationText(now - at)} ago`;
}

/** The same as a point in time that means the same everywhere. */
export function exactMoment(at: number | null): string {
  return at === null ? '' : new Date(at).toISOString();
}
