const INDENT = '    ';
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/g;

/**
 * The same JSON text over several lines, four spaces per level, as `pretty=true` asks. It works on the text, so numbers
 * keep every digit. The text comes in parts, each of whole tokens.
 */
export async function* indentJson(parts: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string> {
  let depth = 0;
  let isEmpty = false;
  const newline = (): string => `\n${INDENT.repeat(depth)}`;
  for await (const part of parts) {
    let result = '';
    for (const [token] of part.matchAll(TOKEN)) {
      const isClosing = token === '}' || token === ']';
      if (isClosing) depth -= 1;
      // An empty object or list stays on its line.
      if (isEmpty !== isClosing) result += newline();
      isEmpty = token === '{' || token === '[';
      if (isEmpty) depth += 1;
      result += token;
      if (token === ',') result += newline();
      if (token === ':') result += ' ';
    }
    yield result;
  }
  yield '\n';
}
