/** The words of a page of HTML: what is not in tags, each of which becomes a space. An open tag at the end stays. */
export function readPageText(html: string): string {
  const pieces = html.split('>');
  const rest = pieces.pop() ?? '';
  const texts = pieces.map((piece) => {
    const open = piece.indexOf('<');
    return open < 0 ? `${piece}>` : `${piece.slice(0, open)} `;
  });
  return texts.join('') + rest;
}
