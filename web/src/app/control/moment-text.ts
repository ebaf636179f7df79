import { instantOf, type LivejoinFormats } from 'livejoin-angular';
import { durationText } from '../duration';

/** How long ago something was, as a person says it. */
export function agoText(at: number | null, now: number): string {
  if (at === null) return '–';
  return now - at < 1_000 ? 'just now' : `${durationText(now - at)} ago`;
}

/** The same as a point in time: for a person, in the zone that is chosen, and for programs. */
export function exactMoment(at: number | null, formats: LivejoinFormats): { named: string; iso: string } {
  if (at === null) return { named: '', iso: '' };
  const instant = instantOf(BigInt(at) * 1_000_000n);
  return { named: formats.moment(instant), iso: formats.iso(instant) };
}
