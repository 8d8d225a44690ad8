/** A text as one word of a command line that a message prints, for any shell; with control characters, for bash. */
export function quoteWord(text: string): string {
  if (/^[\w@%+:,./-]+$/.test(text)) return text;
  if (!/\p{Cc}/u.test(text)) return `'${text.replaceAll("'", "'\\''")}'`;
  const escaped = text.replace(/[\\'\p{Cc}]/gu, (found) =>
    /[\\']/.test(found) ? `\\${found}` : `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`
  );
  return `$'${escaped}'`;
}

/** The same as the last word, which may look like an option. */
export function quoteLastWord(text: string): string {
  return text.startsWith('-') ? `-- ${quoteWord(text)}` : quoteWord(text);
}
