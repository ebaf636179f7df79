/** How a formula begins, for one spreadsheet or another: also after a tab or a line end, and in wide letters. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/**
 * A text of a stranger as a spreadsheet may have it: with an apostrophe before what it would calculate otherwise, which
 * it takes for the mark of a text. For texts only: a negative number is no formula.
 */
export function spreadsheetText(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}
