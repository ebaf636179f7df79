/** A source as it is said in a sentence: `order_items` are order items. */
export function spoken(name: string): string {
  return name.replaceAll('_', ' ').trim();
}

/** And as it stands above its table. */
export function headingOf(name: string): string {
  const words = spoken(name);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** What a kind of join shows, in the words of the sources; nothing of one that this page does not know. */
export function meaningOfJoin(join: string, left: string, right: string): string {
  switch (join) {
    case 'left':
      return `Every row of ${spoken(left)} is shown; where ${spoken(right)} has none, its columns are null.`;
    case 'inner':
      return `Only rows of ${spoken(left)} that have one in ${spoken(right)} are shown.`;
    case 'asof':
      return `Every event of ${spoken(right)} is shown with the row of ${spoken(left)} that held at that moment.`;
    default:
      return '';
  }
}
