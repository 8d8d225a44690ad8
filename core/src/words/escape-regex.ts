/** The text as a regular expression that matches it alone, for RE2 as well as for JavaScript. */
export function escapeRegex(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
