import { describe, expect, it } from 'vitest';
import { headingOf, meaningOfJoin, spoken } from '../../../src/app/declaration/words';

describe('words for what is joined', () => {
  it('are those of the declaration', () => {
    expect(['users', 'order_items', 'CRM', 'x'].map(headingOf)).toEqual(['Users', 'Order items', 'CRM', 'X']);
    expect(spoken('order_items')).toBe('order items');
  });

  it('say of every join what it shows, and nothing of an unknown one', () => {
    expect(meaningOfJoin('left', 'users', 'accounts')).toBe(
      'Every row of users is shown; where accounts has none, its columns are null.',
    );
    expect(meaningOfJoin('inner', 'order_items', 'parts')).toBe(
      'Only rows of order items that have one in parts are shown.',
    );
    expect(meaningOfJoin('asof', 'users', 'accounts')).toMatch(
      /^Every event of accounts is shown with the row of users/,
    );
    expect([meaningOfJoin('toString', 'a', 'b'), meaningOfJoin('outer', 'a', 'b')]).toEqual(['', '']);
  });
});
