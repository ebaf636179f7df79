import { describe, expect, it } from 'vitest';
import { cellOf, emptySnapshot } from '../../src/view/view-snapshot';
import { COLUMNS } from 'livejoin-client/testing';

describe('a snapshot', () => {
  it('is loading before anything has arrived', () => {
    expect(emptySnapshot('final_ui').state).toEqual({ kind: 'loading', reason: null });
  });

  it('gives cells by the name of their column', () => {
    const rows = [{ id: 1, index: 0, cells: ['u1', null], changes: null }];
    const snapshot = { ...emptySnapshot('accounts_ui'), columns: COLUMNS, rows };
    expect(cellOf(snapshot, 0, 'id')).toBe('u1');
    expect(cellOf(snapshot, 0, 'amount')).toBeNull();
    expect(cellOf(snapshot, 0, 'unknown')).toBeUndefined();
    expect(cellOf(snapshot, 1, 'id')).toBeUndefined();
  });
});
