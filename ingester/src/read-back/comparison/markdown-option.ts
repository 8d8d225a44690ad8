import { toggle } from '../../config/option.js';

/** The option by which a comparison is printed as a table of Markdown. */
export const MARKDOWN = toggle('--markdown', { help: 'a table of Markdown, for notes and pull requests' });

/** Why the forms that were asked for do not go together; undefined where they do. */
export function findFormMistake(
  { markdown }: { readonly markdown: boolean },
  { json, csv }: { readonly json: boolean; readonly csv: boolean }
): string | undefined {
  return markdown && (json || csv) ? 'give --markdown, --json or --csv, not several' : undefined;
}
