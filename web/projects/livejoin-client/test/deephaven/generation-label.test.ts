import type { dh } from '@deephaven/jsapi-types';
import { expect, it } from 'vitest';
import { LABEL, labelled } from '../../src/deephaven/generation-label';
import { FakeDhTable } from './fake-deephaven';

it('a labelled table has the generation beside its own columns', async () => {
  const status = new FakeDhTable();
  const table = new FakeDhTable();
  const result = await labelled(table as unknown as dh.Table, status as unknown as dh.Table);
  expect(result.columns.map(({ name }) => name)).toEqual(['userId', 'age', LABEL]);
});
