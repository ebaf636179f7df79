import { zonedTime, type Instant, type ZoneChoice } from 'livejoin-client';

/** A point in time as a clock in that zone says it, to the nanosecond: `2024-05-17 08:30:00.123456789`. */
export function momentText(instant: Instant, zone: ZoneChoice): string {
  return zonedTime(instant, zone).clock.replace('T', ' ');
}

/**
 * The same with the name of the zone, and with how far its clock is from UTC, so that the hour that a year has twice can
 * be told apart: `2024-05-17 10:30:00 Europe/Berlin (UTC+02:00)`.
 */
export function momentNamed(instant: Instant, zone: ZoneChoice): string {
  const name = zone === 'UTC' ? 'UTC' : `${localZone()} (UTC${zonedTime(instant, zone).offset})`;
  return `${momentText(instant, zone)} ${name}`;
}

/** What the zone of the person is called, by their machine. */
export function localZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
