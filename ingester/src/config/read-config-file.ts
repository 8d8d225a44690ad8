import { readFile } from 'node:fs/promises';
import type { JsonValue, Result } from '@joblens/core';
import { err, ok } from '@joblens/core';
import { describeFileError } from '../host/file-error.js';

const MAX_BYTES = 2 ** 20;

/** The configuration of an experiment from a JSON or YAML file. The error is one line for the user. */
export async function readConfigFile(path: string): Promise<Result<JsonValue, string>> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    return err(`cannot read the configuration ${path}: ${describeFileError(error)}`);
  }
  if (text.length > MAX_BYTES) return err(`cannot store the configuration ${path}: it is larger than 1 MiB`);
  try {
    return ok(JSON.parse(text) as JsonValue);
  } catch {
    return readYaml(path, text);
  }
}

async function readYaml(path: string, text: string): Promise<Result<JsonValue, string>> {
  const { parse } = await import('yaml');
  try {
    return ok(JSON.parse(JSON.stringify(parse(text))) as JsonValue);
  } catch (error) {
    const found = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    return err(`cannot read the configuration ${path}: it is neither JSON nor YAML: ${found}`);
  }
}
