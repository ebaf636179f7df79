import { instantFrom, type LivejoinFormats } from 'livejoin-angular';

const ISO = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)/g;

/** A sentence of the server with its points in time in the zone that is chosen, which they name. */
export function withNamedTimes(sentence: string, formats: Pick<LivejoinFormats, 'moment'>): string {
  return sentence.replaceAll(ISO, (at) => formats.moment(instantFrom(at)));
}
