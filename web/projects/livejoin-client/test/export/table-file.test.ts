import { describe, expect, it } from 'vitest';
import { tableFile, type FileProgress } from '../../src/export/table-file';
import type { CopiedRows } from '../../src/export/row-copy';

const COLUMNS = [
  { name: 'userId', kind: 'text' },
  { name: 'age', kind: 'integer' },
] as const;

/** Portions as the server sends them; tells whether the iteration was ended. */
class Copy implements AsyncIterable<CopiedRows> {
  isClosed = false;

  constructor(private readonly portions: readonly CopiedRows['rows'][]) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<CopiedRows> {
    const size = this.portions.flat().length;
    let before = 0;
    try {
      for (const rows of this.portions) {
        yield await Promise.resolve({ columns: COLUMNS, generation: 4, size, before, rows });
        before += rows.length;
      }
    } finally {
      this.isClosed = true;
    }
  }
}

describe('a file of rows', () => {
  const never = new AbortController().signal;

  it('has a head and the rows of all portions, and tells how far it is', async () => {
    const told: FileProgress[] = [];
    const copy = new Copy([
      [
        ['ada', 36],
        ['bob', null],
      ],
      [['cy, jr.', 5]],
    ]);
    const { data, rows, generation } = await tableFile(copy, { format: 'csv' }, never, (progress) =>
      told.push(progress),
    );
    expect(await data.text()).toBe('userId,age\r\nada,36\r\nbob,\r\n"cy, jr.",5\r\n');
    expect([rows, generation, data.type]).toEqual([3, 4, 'text/csv;charset=utf-8']);
    expect(told).toEqual([
      { done: 2, total: 3 },
      { done: 3, total: 3 },
    ]);
  });

  it('is one of JSON lines where that is wanted', async () => {
    const copy = new Copy([[['ada', 36]], [['bob', null]]]);
    const { data } = await tableFile(copy, { format: 'json-lines' }, never, () => undefined);
    expect(await data.text()).toBe('{"userId":"ada","age":36}\n{"userId":"bob","age":null}\n');
    expect(data.type).toBe('application/x-ndjson');
  });

  it('of a table without rows is its head', async () => {
    const { data, rows } = await tableFile(new Copy([[]]), { format: 'csv' }, never, () => undefined);
    expect([await data.text(), rows]).toEqual(['userId,age\r\n', 0]);
  });

  it('that is given up ends the copy', async () => {
    const abort = new AbortController();
    const copy = new Copy([[['ada', 36]], [['bob', 7]], [['cy', 8]]]);
    const told: FileProgress[] = [];
    const file = tableFile(copy, { format: 'csv' }, abort.signal, (progress) => {
      told.push(progress);
      abort.abort(new Error('enough'));
    });
    await expect(file).rejects.toThrow('enough');
    expect([told.length, copy.isClosed]).toEqual([1, true]);
  });
});
