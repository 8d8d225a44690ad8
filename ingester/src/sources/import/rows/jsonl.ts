import { parsePrintedRow } from '@joblens/core/metadata/parse-metadata';
import type { ReadSource } from '../job/importer.js';
import { openSourceFile } from '../job/source-file.js';
import { type TextLine, TextLines } from './text-lines.js';
import { TimedRows } from './timed-rows.js';

/** Reads a file with a JSON object on each line: the rows of one job. */
export const readJsonl: ReadSource = async (request) => {
  const file = await openSourceFile(request);
  const rows = new TimedRows(request, file.modifiedMs);
  const lines = new TextLines();
  const add = ({ text, number }: TextLine): void => {
    const line = text?.trim();
    if (line === '') return;
    const row = line === undefined ? undefined : parsePrintedRow(line, { nonfinite: 'metadata' });
    if (row !== undefined) rows.add(row, line?.length ?? 0);
    else if (line === '{}') request.leftOut.add('rows without keys', `line ${number}`);
    else request.leftOut.add('lines that are no JSON object', `line ${number}`);
  };
  for await (const chunk of file.chunks) {
    for (const line of lines.add(chunk)) add(line);
    await request.advance(file.readBytes(), file.sizeBytes);
  }
  for (const line of lines.end()) add(line);
  rows.end();
};
