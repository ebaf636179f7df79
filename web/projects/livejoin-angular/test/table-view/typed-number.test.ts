import { describe, expect, it } from 'vitest';
import { numberShown, numberTyped } from '../../src/table-view/typed-number';

const PLACES = ['en', 'de', 'de-CH', 'fr', 'sv', 'es', 'en-IN', 'ar-EG', 'fa', 'he', 'pl'];
const NUMBERS = [
  '0',
  '-0.5',
  '12',
  '1234.5',
  '-1234567.875',
  '9007199254740993',
  '0.1000000000000000055511151',
];

describe('a number that somebody types', () => {
  it.each(PLACES)('is what it shows in %s, to the last digit', (locale) => {
    for (const number of NUMBERS) expect(numberTyped(numberShown(number, locale), locale)).toBe(number);
  });

  it.each([
    ['de', '1.234', '1234'],
    ['de', '1234,5', '1234.5'],
    ['de', '1,5', '1.5'],
    ['de', ',5', '.5'],
    ['de', '-1.234.567,89', '-1234567.89'],
    ['de', '1,5e-8', '1.5e-8'],
    ['en', '1,234.5', '1234.5'],
    ['en', '12.', '12'],
    ['en', '+7', '+7'],
    ['fr', '1 234,5', '1234.5'],
    ['fr', '1.5', '1.5'],
    ['de-CH', "1'234.5", '1234.5'],
    ['en-IN', '12,34,567', '1234567'],
    ['sv', '\u22125', '-5'],
    ['ar-EG', '١٢٫٥', '12.5'],
  ])('in %s means of %s exactly %s', (locale, text, number) => {
    expect(numberTyped(text, locale)).toBe(number);
  });

  it.each([
    ['de', '1.5'],
    ['de', '2.50'],
    ['de', '1.234.5'],
    ['de', '1,2,3'],
    ['en', '1,5'],
    ['en', '1,2345'],
    ['en', '1.2.3'],
    ['en', '.'],
    ['en', '-'],
    ['en', 'ten'],
    ['en', '0x10'],
    ['en', '1 000'],
    ['fr', '1.234.567'],
  ])('in %s is none where it could be meant in another way: %s', (locale, text) => {
    expect(numberTyped(text, locale)).toBeNull();
  });
});
