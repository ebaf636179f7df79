import { describe, expect, it } from 'vitest';
import { spreadsheetText } from '../../src/export/spreadsheet-text';

describe('a text for a spreadsheet', () => {
  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1', '=HYPERLINK("http://x")'])(
    'is no formula: %j',
    (text) => {
      expect(spreadsheetText(text)).toBe(`'${text}`);
    },
  );

  it.each(['', 'Ada', '1-2', "'=1", 'a=b', ' =1'])('stays as it is where it is none: %j', (text) => {
    expect(spreadsheetText(text)).toBe(text);
  });
});
