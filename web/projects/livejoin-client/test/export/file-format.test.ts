import { describe, expect, it } from 'vitest';
import { writerOf, type FileFormat } from '../../src/export/file-format';
import { instantFrom } from '../../src/instant';
import { isoIn } from '../../src/zone';
import type { CellValue, Column, ColumnKind } from '../../src/table-server';

const EXACT: readonly (readonly [ColumnKind, CellValue])[] = [
  ['integer', 9007199254740993n],
  ['integer', -9223372036854775807n],
  ['double', 0.1 + 0.2],
  ['double', 1e300],
  ['double', -0],
  ['double', -Infinity],
  ['decimal', '-0.10'],
  ['date', '2024-12-31'],
  ['instant', instantFrom('1969-12-31T23:59:59.999999999Z')],
  ['boolean', true],
];

function line(format: FileFormat, cells: readonly (readonly [ColumnKind, CellValue])[]): string {
  const columns: Column[] = cells.map(([kind], place) => ({ name: `c${String(place)}`, kind }));
  return writerOf(format).line(
    cells.map(([, value]) => value),
    columns,
  );
}

function texts(...all: readonly (string | null)[]): readonly (readonly [ColumnKind, CellValue])[] {
  return all.map((text) => ['text', text]);
}

describe('a line of CSV', () => {
  it('quotes what would break it, and only that', () => {
    expect(line({ format: 'csv' }, texts('plain', 'a,b', 'say "hi"', 'two\nlines', 'cr\r'))).toBe(
      'plain,"a,b","say ""hi""","two\nlines","cr\r"\r\n',
    );
  });

  it('tells a null from an empty text', () => {
    expect(line({ format: 'csv' }, texts(null, '', null))).toBe(',"",\r\n');
  });

  it('keeps all digits of numbers, and the nanoseconds of a time', () => {
    expect(line({ format: 'csv' }, EXACT)).toBe(
      '9007199254740993,-9223372036854775807,0.30000000000000004,1e+300,-0,-Infinity,-0.10,2024-12-31,' +
        '1969-12-31T23:59:59.999999999Z,true\r\n',
    );
  });

  it('has texts that a spreadsheet would calculate as texts, unless that is switched off', () => {
    const cells = [...texts('=1+2', '-2+3'), ['decimal', '-2.30'], ['integer', -2]] as const;
    expect(line({ format: 'csv' }, cells)).toBe("'=1+2,'-2+3,-2.30,-2\r\n");
    expect(line({ format: 'csv', isSafe: false }, cells)).toBe('=1+2,-2+3,-2.30,-2\r\n');
  });

  it('has names of any kind above it, which are texts of strangers too', () => {
    const columns = ['__proto__', 'a, "b"', 'größe', '=1'].map(
      (name) => ({ name, kind: 'integer' }) as const,
    );
    expect(writerOf({ format: 'csv' }).head(columns)).toBe(`__proto__,"a, ""b""",größe,'=1\r\n`);
  });

  it('begins with the mark of UTF-8 where that is wanted', () => {
    const columns = [{ name: 'größe', kind: 'text' }] as const;
    expect(writerOf({ format: 'csv', hasByteOrderMark: true }).head(columns)).toBe('\uFEFFgröße\r\n');
  });
});

describe('a point in time in a file', () => {
  it('is by the clock of the zone that is asked for, with how far it is from UTC', () => {
    const at = instantFrom('2024-07-01T22:30:00.123456789Z');
    const local = isoIn(at, 'local');
    expect(line({ format: 'csv', zone: 'local' }, [['instant', at]])).toBe(`${local}\r\n`);
    expect(line({ format: 'json-lines', zone: 'local' }, [['instant', at]])).toBe(`{"c0":"${local}"}\n`);
    expect(line({ format: 'json-lines' }, [['instant', at]])).toBe(`{"c0":"${at.iso}"}\n`);
  });
});

describe('a line of JSON', () => {
  it('has every value so that reading it gives the same one again', () => {
    const written = line({ format: 'json-lines' }, EXACT);
    expect(Object.values(JSON.parse(written) as object)).toEqual([
      '9007199254740993',
      '-9223372036854775807',
      0.1 + 0.2,
      1e300,
      -0,
      '-Infinity',
      '-0.10',
      '2024-12-31',
      '1969-12-31T23:59:59.999999999Z',
      true,
    ]);
    expect(written).toContain(':-0.0,');
    expect(written.endsWith('}\n')).toBe(true);
  });

  it('has texts as they are, nulls, and columns of any name', () => {
    const columns: Column[] = ['__proto__', 'a "b"', 'c'].map((name) => ({ name, kind: 'text' }));
    expect(writerOf({ format: 'json-lines' }).line(['=1', 'two\nlines', null], columns)).toBe(
      '{"__proto__":"=1","a \\"b\\"":"two\\nlines","c":null}\n',
    );
  });
});
