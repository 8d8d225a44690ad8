/** An address up to its path, and the query or fragment behind it, which may hold a token. */
export function splitAddress(address: string): { readonly upToPath: string; readonly behindPath: string } {
  const [behindPath = ''] = /[?#].*$/s.exec(address) ?? [];
  return { upToPath: address.slice(0, address.length - behindPath.length), behindPath };
}
