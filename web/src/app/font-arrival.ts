/** Longer than it takes over any line that is fit for live tables. */
const PATIENCE_MS = 1_000;

/** Resolves when the page's font is here, so that nothing moves when it comes; or when it takes too long. Never rejects. */
export async function fontArrival(fonts: Pick<FontFaceSet, 'load'>, font: string): Promise<void> {
  const loaded = fonts.load(font).then(
    () => undefined,
    () => undefined,
  );
  const late = new Promise<void>((resolve) => {
    setTimeout(resolve, PATIENCE_MS);
  });
  await Promise.race([loaded, late]);
}
