/** With whom one can sign in, instead of presenting a key; null where one cannot. Never rejects. */
export async function signInOffer(): Promise<string | null> {
  try {
    const response = await fetch('sign-in/offer', { cache: 'no-store' });
    if (!response.ok) return null;
    const { name } = ((await response.json()) ?? {}) as Record<string, unknown>;
    return typeof name === 'string' && name !== '' ? name : null;
  } catch {
    return null;
  }
}
