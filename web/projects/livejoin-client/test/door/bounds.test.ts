import { describe, expect, it } from 'vitest';
import { beyondBounds } from '../../src/door/bounds';
import { described, type WireDescription } from '../../src/door/description';
import { viewOf, type FilterBy, type FilterCondition } from '../../src/view/view-description';

const WITHIN: WireDescription = {
  table: 'final_ui',
  columns: ['age', 'name'],
  sort: Array.from({ length: 16 }, () => ({ column: 'age', direction: 'ascending' as const })),
  filter: Array.from({ length: 100 }, () => ({
    column: 'age',
    is: 'anyOf' as const,
    of: [{ is: 'null' as const }],
  })),
  search: 'x'.repeat(4_096),
};

function deep(levels: number): FilterCondition {
  return levels === 1 ? { is: 'null' } : { is: 'anyOf', of: [deep(levels - 1)] };
}

function filtered(...filter: FilterBy[]): WireDescription {
  return described(viewOf({ table: 'final_ui', filter }));
}

describe('beyondBounds', () => {
  it('has nothing to say of what the door takes', () => {
    expect(beyondBounds({ table: 'final_ui' })).toBeNull();
    expect(beyondBounds(WITHIN)).toBeNull();
    expect(beyondBounds(filtered({ column: 'age', ...deep(4) }))).toBeNull();
  });

  it.each<[string, WireDescription]>([
    ['A search has at most 4,096 characters.', { ...WITHIN, search: 'x'.repeat(4_097) }],
    [
      'A text that is compared with has at most 4,096 characters.',
      filtered({ column: 'name', is: 'anyOf', of: [{ is: 'containing', to: 'x'.repeat(4_097) }] }),
    ],
    [
      'A text that is compared with has at most 4,096 characters.',
      filtered({ column: 'name', is: 'oneOf', to: ['x'.repeat(4_097)] }),
    ],
    [
      'A list that is compared with has at most 1,000 values.',
      filtered({ column: 'age', is: 'oneOf', to: Array.from({ length: 1_001 }, () => 1) }),
    ],
    [
      'A view has at most 200 conditions.',
      { ...WITHIN, filter: [...(WITHIN.filter ?? []), { column: 'age', is: 'null' }] },
    ],
    ['Conditions lie at most 4 deep in one another.', filtered({ column: 'age', ...deep(5) })],
    [
      'A view is sorted by at most 16 columns.',
      { ...WITHIN, sort: [...(WITHIN.sort ?? []), { column: 'name', direction: 'ascending' }] },
    ],
    ['A column is named twice.', { ...WITHIN, columns: ['age', 'name', 'age'] }],
    [
      'A view has at most 1,000 columns.',
      { ...WITHIN, columns: Array.from({ length: 1_001 }, (_, place) => `c${String(place)}`) },
    ],
    ['A name has 1 to 256 characters.', { ...WITHIN, columns: ['x'.repeat(257)] }],
    [
      'What is asked for is too long: filter by less.',
      filtered(
        ...Array.from({ length: 20 }, () => ({
          column: 'name',
          is: 'equal' as const,
          to: 'é'.repeat(2_000),
        })),
      ),
    ],
  ])('says "%s"', (problem, view) => {
    expect(beyondBounds(view)).toBe(problem);
  });
});
