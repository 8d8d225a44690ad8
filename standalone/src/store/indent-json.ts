/** The same JSON text over several lines, four spaces a level, as `pretty=true` asks. Works on the text: numbers keep every digit. */
export function indentJson(json: string): string {
  let depth = 0;
  let result = '';
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/g)) {
    switch (token) {
      case '{':
      case '[':
        depth += 1;
        result += `${token}\n${'    '.repeat(depth)}`;
        break;
      case '}':
      case ']':
        depth -= 1;
        result = /[{[]\n *$/.test(result)
          ? result.replace(/\n *$/, token)
          : `${result}\n${'    '.repeat(depth)}${token}`;
        break;
      case ',':
        result += `,\n${'    '.repeat(depth)}`;
        break;
      case ':':
        result += ': ';
        break;
      default:
        result += token;
    }
  }
  return `${result}\n`;
}
