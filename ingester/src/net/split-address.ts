/** An address up to its path, and the query or fragment behind it, which may hold a token. */
export function splitAddress(address: string): { readonly upToPath: string; readonly behindPath: string } {
  const upToPath = address.split(/[?#]/, 1).join();
  return { upToPath, behindPath: address.slice(upToPath.length) };
}
