/** Where livejoin is: where the page is from, also below a path of a proxy. Without a slash at its end. */
export function ownAddress(baseUri: string): string {
  return baseUri.replace(/\/+$/, '');
}
