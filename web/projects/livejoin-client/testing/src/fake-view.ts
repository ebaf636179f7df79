import type { CellValue, Column, ColumnKind, FilterCondition, FilterOperand, View } from 'livejoin-client';

type Row = readonly CellValue[];

/** The rows of a table that a view shows, in its order: what a table server does, as docs/protocol.md has it. */
export function rowsOfView(rows: readonly Row[], columns: readonly Column[], view: View): readonly Row[] {
  if (view.filter.length + view.sort.length === 0 && view.search === '') return rows;
  const placeOf = (name: string): number => columns.findIndex((column) => column.name === name);
  const searched = view.search.toLowerCase();
  const texts = columns.flatMap(({ kind }, place) => (kind === 'text' ? [place] : []));
  const shown = rows.filter(
    (row) =>
      view.filter.every((by) => {
        const place = placeOf(by.column);
        return meets(row[place] ?? null, columns[place]?.kind ?? 'text', by);
      }) && texts.some((place) => folded(row[place] ?? null).includes(searched) || searched === ''),
  );
  const orders = view.sort.map(({ column, direction }) => ({
    place: placeOf(column),
    kind: columns[placeOf(column)]?.kind ?? 'text',
    sign: direction === 'descending' ? -1 : 1,
  }));
  return shown.sort((a, b) => {
    for (const { place, kind, sign } of orders) {
      const [one, other] = [a[place] ?? null, b[place] ?? null];
      // Behind all values, in both directions.
      const order =
        one === null || other === null
          ? Number(one === null) - Number(other === null)
          : sign * compared(one, other, kind);
      if (order !== 0) return order;
    }
    return 0;
  });
}

function meets(cell: CellValue, kind: ColumnKind, condition: FilterCondition): boolean {
  switch (condition.is) {
    case 'null':
      return cell === null;
    case 'notNull':
      return cell !== null;
    case 'blank':
      return cell === null || cell === '';
    case 'notBlank':
      return cell !== null && cell !== '';
    case 'anyOf':
      return condition.of.some((part) => meets(cell, kind, part));
    case 'allOf':
      return condition.of.every((part) => meets(cell, kind, part));
    case 'oneOf':
      return cell !== null && condition.to.some((to) => compared(cell, to, kind) === 0);
    case 'containing':
      return cell !== null && folded(cell).includes(condition.to.toLowerCase());
    case 'notContaining':
      return cell === null || !folded(cell).includes(condition.to.toLowerCase());
    case 'startingWith':
      return cell !== null && folded(cell).startsWith(condition.to.toLowerCase());
    case 'endingWith':
      return cell !== null && folded(cell).endsWith(condition.to.toLowerCase());
    case 'equal':
      return cell !== null && compared(cell, condition.to, kind) === 0;
    case 'notEqual':
      return cell === null || compared(cell, condition.to, kind) !== 0;
    case 'less':
      return cell !== null && compared(cell, condition.to, kind) < 0;
    case 'lessOrEqual':
      return cell !== null && compared(cell, condition.to, kind) <= 0;
    case 'greater':
      return cell !== null && compared(cell, condition.to, kind) > 0;
    case 'greaterOrEqual':
      return cell !== null && compared(cell, condition.to, kind) >= 0;
  }
}

function folded(cell: CellValue): string {
  return cell === null ? '' : cell.toString().toLowerCase();
}

function compared(a: FilterOperand, b: FilterOperand, kind: ColumnKind): number {
  const [one, other] = kind === 'decimal' ? scaled(a.toString(), b.toString()) : [ordinal(a), ordinal(b)];
  // Of the language itself, which compares a bigint with a number exactly.
  return Number(one > other) - Number(one < other);
}

function ordinal(value: FilterOperand): string | number | bigint | boolean {
  return typeof value === 'object' ? value.epochNanos : value;
}

/** Two decimals as whole numbers of the smaller of their last places. */
function scaled(a: string, b: string): [bigint, bigint] {
  const digits = Math.max(...[a, b].map((text) => (text.split('.')[1] ?? '').length));
  const whole = (text: string): bigint => {
    const [before = '0', after = ''] = text.split('.');
    return BigInt(before + after.padEnd(digits, '0'));
  };
  return [whole(a), whole(b)];
}
