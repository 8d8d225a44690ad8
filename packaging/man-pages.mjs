// Man pages from the help of the command, one for each subcommand.
import { writeFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** `run` gives what `joblens ARGS…` prints. */
export function writeManPages(folder, { version, run }) {
  mkdirSync(folder, { recursive: true });
  const help = run(['--help']);
  const names = [...help.matchAll(/^ {2}([a-z-]+) (?:\[|<)/gm)]
    .map(([, name]) => name)
    .filter((name) => name !== 'help');
  const page = (title, text) => formatManPage(title, text, version, names);
  writeFileSync(join(folder, 'joblens.1'), page('joblens', help));
  for (const name of names)
    writeFileSync(join(folder, `joblens-${name}.1`), page(`joblens-${name}`, run([name, '--help'])));
}

/** Help as commander prints it: usage, a sentence, then groups with a heading that ends with a colon. */
function formatManPage(title, help, version, names) {
  const [usage = '', ...rest] = help.trimEnd().split('\n\n');
  const [summary = '', ...groups] = rest;
  const sentence = summary.replaceAll(/\s+/g, ' ').trim();
  const others = title === 'joblens' ? names.map((name) => `joblens-${name}`) : ['joblens'];
  return [
    `.TH ${title.toUpperCase()} 1 "" "joblens ${version}" "User Commands"`,
    '.SH NAME',
    `${escapeRoff(title)} \\- ${escapeRoff(sentence.replace(/\.$/, ''))}`,
    '.SH SYNOPSIS',
    escapeRoff(usage.replace(/^Usage: /, '').replaceAll(/\s+/g, ' ')),
    ...groups.flatMap(formatGroup),
    '.SH SEE ALSO',
    others.map((name) => `.BR ${escapeRoff(name)} (1)`).join(',\n'),
    '',
  ].join('\n');
}

/** A heading with items of two columns, or lines that stay as they are. */
function formatGroup(group) {
  const [first = '', ...lines] = group.split('\n');
  const hasHeading =
    first.endsWith(':') && lines.every((line) => line.startsWith('  ') || line === '' || !line.startsWith(' '));
  if (!hasHeading) return ['.PP', '.nf', ...group.split('\n').map(escapeRoff), '.fi'];
  return [`.SH ${escapeRoff(first.slice(0, -1).toUpperCase())}`, ...formatItems(lines)];
}

function formatItems(lines) {
  const items = [];
  for (const line of lines) {
    const [, term, text] = /^ {2}(\S.*?)(?: {2,}(\S.*))?$/.exec(line) ?? [];
    if (term !== undefined && !line.startsWith('   ')) items.push([term, text === undefined ? [] : [text]]);
    else items.at(-1)?.[1].push(line.trim());
  }
  return items.flatMap(([term, texts]) =>
    texts.length === 0 ? ['.PP', escapeRoff(term)] : ['.TP', `.B ${escapeRoff(term)}`, escapeRoff(texts.join(' '))]
  );
}

/** Backslashes and signs that troff would take for its own. */
function escapeRoff(text) {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(['.])/, '\\&$1');
}
