/** A point in time as the clock on the wall says it, with the day where it is not today. */
export function momentText(at: number | null, now: number): string {
  if (at === null) return '–';
  const moment = new Date(at);
  const time = moment.toLocaleTimeString('en-GB');
  const isToday = moment.toDateString() === new Date(now).toDateString();
  return isToday ? time : `${moment.toLocaleDateString('en-CA')} ${time}`;
}
