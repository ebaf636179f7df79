/** The name that is called most nearly so; null where none differs by a slip of the hand only. */
export function nearestName(typed: string, names: readonly string[]): string | null {
  const wanted = typed.toLowerCase();
  const [nearest] = names
    .map((name) => ({ name, distance: distanceOf(wanted, name.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance);
  const isNear = nearest !== undefined && nearest.distance <= Math.max(1, Math.floor(typed.length / 4));
  return isNear ? nearest.name : null;
}

/** How many letters have to be put in, taken out or exchanged to make one of the other. */
function distanceOf(one: string, other: string): number {
  let before = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [row, letter] of Array.from(one).entries()) {
    const now = [row + 1];
    for (const [column, another] of Array.from(other).entries()) {
      const exchanged = (before[column] ?? 0) + (letter === another ? 0 : 1);
      now.push(Math.min(exchanged, (before[column + 1] ?? 0) + 1, (now[column] ?? 0) + 1));
    }
    before = now;
  }
  return before.at(-1) ?? 0;
}
