/**
 * Changes of a text that others write, too: whole lines between two marks, which can be taken away again to the byte.
 * A line that they take the place of stays in a comment between the marks. Lines that begin with # must be comments.
 */

const TITLE = 'joblens setup slurm';
const WAS = '# was: ';

const beginOf = (name: string): string => `# ${TITLE}, begin: ${name}`;
const endOf = (name: string): string => `# ${TITLE}, end: ${name}`;

/** Whether a text has a marked line of any name. */
export function hasMarkedLines(text: string): boolean {
  return text.includes(beginOf(''));
}

/** Puts a line between marks: in the place of the line of this index, else at the end of the text. */
export function putMarkedLine(text: string, name: string, line: string, replacedIndex?: number): string {
  const lines = text.split('\n');
  const replaced = replacedIndex === undefined ? undefined : lines[replacedIndex];
  const was = replaced === undefined ? [] : [WAS + replaced];
  const block = [beginOf(name), ...was, line, endOf(name)];
  if (replacedIndex !== undefined) lines.splice(replacedIndex, 1, ...block);
  // Behind the last line, whether it has an end or not.
  else lines.splice(text === '' || text.endsWith('\n') ? lines.length - 1 : lines.length, 0, ...block);
  return lines.join('\n');
}

/** Takes the marked lines of this name away, as if they had never been there. */
export function takeMarkedLine(text: string, name: string): string {
  const lines = text.split('\n');
  const begin = lines.indexOf(beginOf(name));
  const end = lines.indexOf(endOf(name), begin);
  if (begin === -1 || end === -1) return text;
  const was = lines.slice(begin + 1, end).filter((line) => line.startsWith(WAS));
  lines.splice(begin, end - begin + 1, ...was.map((line) => line.slice(WAS.length)));
  return lines.join('\n');
}
