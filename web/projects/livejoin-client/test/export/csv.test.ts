import { describe, expect, it } from 'vitest';
import { csvLine } from '../../src/export/csv';

describe('a line of CSV', () => {
  it('quotes what would break it, and only that', () => {
    expect(csvLine(['plain', 'a,b', 'say "hi"', 'two\nlines', 'cr\r'])).toBe(
      'plain,"a,b","say ""hi""","two\nlines","cr\r"\r\n',
    );
  });

  it('has decimals and dates as they are, and names of any kind', () => {
    expect(csvLine(['12.30', '-0.00', '2024-12-31'])).toBe('12.30,-0.00,2024-12-31\r\n');
    expect(csvLine(['__proto__', 'a, "b"', 'größe'])).toBe('__proto__,"a, ""b""",größe\r\n');
  });

  it('tells a null from an empty text', () => {
    expect(csvLine([null, '', null])).toBe(',"",\r\n');
  });

  it('keeps all 64 bits of numbers, and the nanoseconds of a time', () => {
    const time = { epochNanos: 1n, iso: '1970-01-01T00:00:00.000000001Z' };
    expect(csvLine([9007199254740993n, -9223372036854775807n, 0.1 + 0.2, 1e300, -0, time, true])).toBe(
      `9007199254740993,-9223372036854775807,0.30000000000000004,1e+300,-0,${time.iso},true\r\n`,
    );
  });
});
