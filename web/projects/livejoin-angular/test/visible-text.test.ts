import { describe, expect, it } from 'vitest';
import { visibleText } from '../src/visible-text';

describe('a text of a stranger', () => {
  it('stays as it is where every character can be seen', () => {
    for (const text of ['', 'Ada Lovelace', 'Bé 😀 北京 עברית', '<b>&amp;</b>', 'a\\nb', '👩‍👩‍👧 👩🏽‍💻 ❤️‍🔥']) {
      expect(visibleText(text)).toBe(text);
    }
  });

  it('shows what a terminal or a page would obey', () => {
    expect(visibleText('\u001b[2Jgone\r\n\t\u0000\u007f\u009b')).toBe('␛[2Jgone␍␊␉␀␡⟨U+009B⟩');
  });

  it('shows what turns a text around, and what hides in it', () => {
    expect(visibleText('gpj\u202eexe.\u2066x\u2069')).toBe('gpj⟨U+202E⟩exe.⟨U+2066⟩x⟨U+2069⟩');
    expect(visibleText('ad\u200bmin\u00ad\ufeff')).toBe('ad⟨U+200B⟩min⟨U+00AD⟩⟨U+FEFF⟩');
    expect(visibleText('a\u200db\u2028')).toBe('a⟨U+200D⟩b⟨U+2028⟩');
    expect(visibleText('half \ud800')).toBe('half ⟨U+D800⟩');
  });
});
