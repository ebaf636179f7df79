/** Puts a text into the clipboard; whether that was possible. Works at addresses without TLS, too, after a click. */
export async function copyText(text: string): Promise<boolean> {
  // There is no clipboard there, whatever the types say.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  try {
    if (clipboard !== undefined) {
      await clipboard.writeText(text);
      return true;
    }
  } catch {
    // Forbidden, or asked for and denied: the old way may be allowed.
  }
  const fill = (event: ClipboardEvent): void => {
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  document.addEventListener('copy', fill, { capture: true, once: true });
  try {
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- there is no other way without TLS
    return document.execCommand('copy');
  } finally {
    document.removeEventListener('copy', fill, { capture: true });
  }
}
