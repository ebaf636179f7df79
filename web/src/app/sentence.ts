/** What a program has said, as a person writes it; nothing where nothing was said. */
export function sentence(said: string): string {
  const text = said.trim();
  if (text === '') return '';
  // Only a plain word: a topic is called as it is called.
  const begun = /^[a-z]+\s/.test(text) ? `${text.charAt(0).toUpperCase()}${text.slice(1)}` : text;
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}
