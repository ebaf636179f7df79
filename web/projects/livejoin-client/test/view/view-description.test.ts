import { describe, expect, it } from 'vitest';
import { SettingsError } from '../../src/errors';
import { instantOf } from '../../src/instant';
import { keyOf, viewOf, type FilterCondition, type ViewDescription } from '../../src/view/view-description';

function key(description: ViewDescription): string {
  return keyOf(viewOf(description));
}

describe('the key of a view', () => {
  const table = 'final_ui';

  it('is the same for descriptions that mean the same', () => {
    expect(key({ table })).toBe(key({ table, sort: [], filter: [], search: ' ' }));
    expect(key({ table, search: 'Ada' })).toBe(key({ table, search: ' ada' }));
    const old = { column: 'age', is: 'greater', to: 65 } as const;
    const rich = { column: 'balance', is: 'greater', to: 1e6 } as const;
    expect(key({ table, filter: [old, rich] })).toBe(key({ table, filter: [rich, old] }));
    const either = (...of: readonly FilterCondition[]) =>
      key({ table, filter: [{ column: 'age', is: 'anyOf', of }] });
    expect(either(old, rich)).toBe(either(rich, old));
  });

  it('differs by table, columns, sort, filter and search', () => {
    const up = { column: 'a', direction: 'ascending' } as const;
    const down = { column: 'a', direction: 'descending' } as const;
    const other = { column: 'b', direction: 'ascending' } as const;
    const keys = [
      key({ table }),
      key({ table: 'users_ui' }),
      key({ table, columns: ['a'] }),
      key({ table, columns: ['a', 'b'] }),
      key({ table, columns: ['b', 'a'] }),
      key({ table, sort: [up] }),
      key({ table, sort: [down] }),
      key({ table, sort: [up, other] }),
      key({ table, sort: [other, up] }),
      key({ table, filter: [{ column: 'a', is: 'equal', to: 1 }] }),
      key({ table, filter: [{ column: 'a', is: 'equal', to: '1' }] }),
      key({ table, filter: [{ column: 'a', is: 'equal', to: 1n }] }),
      key({ table, filter: [{ column: 'a', is: 'oneOf', to: [1] }] }),
      key({ table, filter: [{ column: 'a', is: 'null' }] }),
      key({ table, filter: [{ column: 'a', is: 'less', to: instantOf(1n) }] }),
      key({ table, filter: [{ column: 'a', is: 'less', to: instantOf(2n) }] }),
      key({ table, filter: [{ column: 'a', is: 'less', to: 1n }] }),
      key({ table, filter: [{ column: 'a', is: 'anyOf', of: [{ is: 'null' }] }] }),
      key({ table, filter: [{ column: 'a', is: 'allOf', of: [{ is: 'null' }] }] }),
      key({ table, filter: [{ column: 'a', is: 'anyOf', of: [{ is: 'notNull' }] }] }),
      key({ table, filter: [{ column: 'b', is: 'anyOf', of: [{ is: 'null' }] }] }),
      key({ table, search: 'a' }),
      key({ table, search: 'b' }),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('exists for identifiers only', () => {
    expect(() => viewOf({ table: 'a/b' })).toThrow(SettingsError);
  });
});
