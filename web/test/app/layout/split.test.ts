import { describe, expect, it } from 'vitest';
import { remembered } from '../../../src/app/layout/split';

describe('the remembered layout', () => {
  const usual = remembered(null);

  it('is what was stored', () => {
    expect(remembered('{"columns":30,"rows":70.5}')).toEqual({ columns: 30, rows: 70.5 });
  });

  it('is as usual where what was stored makes no sense', () => {
    expect(remembered('{"columns":1,"rows":"70"}')).toEqual(usual);
    for (const text of ['', 'null', '[1]', '{']) expect(remembered(text)).toEqual(usual);
  });
});
