/**
 * A zero-width joiner between two pictures makes one picture of them, and is seen by that. Everything else that has no
 * looks of its own could hide in a text, or turn it around.
 */
const HIDDEN =
  /(?!(?<=\p{Extended_Pictographic}\p{Emoji_Modifier}?\uFE0F?)\u200D(?=\p{Extended_Pictographic}))[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

const CONTROL_PICTURES = 0x2400;
const PICTURE_OF_DELETE = '\u2421';

/** A text of a stranger as a person may see it: controls, line ends and marks of direction are shown, not obeyed. */
export function visibleText(text: string): string {
  return text.replaceAll(HIDDEN, pictureOf);
}

function pictureOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCharCode(CONTROL_PICTURES + code);
  if (code === 0x7f) return PICTURE_OF_DELETE;
  return `\u27e8U+${code.toString(16).toUpperCase().padStart(4, '0')}\u27e9`;
}
