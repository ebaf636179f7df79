/** How many of the dead letters have this reason. */
export interface ReasonCount {
  readonly reason: string;
  readonly count: number;
}

/** The reasons of dead letters, the most frequent first; of those with the same count, the one that came last. */
export function byReason(letters: readonly { readonly reason: string }[]): readonly ReasonCount[] {
  const counts = new Map<string, number>();
  for (const { reason } of letters) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts].map(([reason, count]) => ({ reason, count })).sort((a, b) => b.count - a.count);
}
