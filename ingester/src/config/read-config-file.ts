import { readFile } from 'node:fs/promises';
import { isBoundedValue, MAX_JSON_DEPTH, parseJson } from '@joblens/core/json/bounded-json';
import { formatPrintedJson, PrintedNumber, type PrintedValue, readPrintedJson } from '@joblens/core/json/printed-json';
import { err, ok, type Result } from '@joblens/core/result/result';
import { describeFileError } from '../host/file-error.js';
import { findTooDeepYaml } from '../rules/options/bounded-yaml.js';

const MAX_BYTES = 2 ** 20;

/**
 * The configuration of an experiment from a JSON or YAML file, as JSON in one line with each number as it was written.
 * The error is one line for the user.
 */
export async function readConfigFile(path: string): Promise<Result<string, string>> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    return err(`cannot read the configuration ${path}: ${describeFileError(error)}`);
  }
  if (text.length > MAX_BYTES) return err(`cannot store the configuration ${path}: it is larger than 1 MiB`);
  const json = parseJson(text);
  if (json.ok) return ok(formatPrintedJson(readPrintedJson(text)));
  return json.error === 'too deep' ? err(explainDepth(path)) : readYaml(path, text);
}

function explainDepth(path: string): string {
  return `cannot store the configuration ${path}: it is nested more than ${MAX_JSON_DEPTH} levels deep`;
}

function explainAliases(path: string): string {
  return `cannot store the configuration ${path}: aliases make it too large`;
}

async function readYaml(path: string, text: string): Promise<Result<string, string>> {
  const { Lexer, parseDocument, visit } = await import('yaml');
  if (findTooDeepYaml(text, new Lexer()) !== undefined) return err(explainDepth(path));
  try {
    const document = parseDocument(text, { intAsBigInt: true, logLevel: 'error' });
    const [fault] = document.errors;
    if (fault !== undefined) throw fault;
    visit(document, {
      Scalar(key, node) {
        if (typeof node.value !== 'number' || key === 'key' || node.source === undefined) return;
        if (JSON_NUMBER.test(node.source)) node.value = readPrintedJson(node.source);
      },
    });
    const value: unknown = document.toJS();
    if (!isBoundedValue(value)) return err(explainAliases(path));
    return ok(formatPrintedJson(toPrinted(value)));
  } catch (error) {
    if (error instanceof ReferenceError && error.message.startsWith('Excessive alias count'))
      return err(explainAliases(path));
    const found = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    return err(`cannot read the configuration ${path}: it is neither JSON nor YAML: ${found}`);
  }
}

const JSON_NUMBER = /^-?\d+(?:\.\d+)?(?:e[-+]?\d+)?$/i;

/** What is no JSON becomes what JSON.stringify makes of it. */
function toPrinted(value: unknown): PrintedValue {
  if (value instanceof PrintedNumber) return value;
  if (typeof value === 'bigint') return readPrintedJson(String(value));
  if (Array.isArray(value)) return value.map(toPrinted);
  if (Object.prototype.toString.call(value) === '[object Object]')
    return new Map(Object.entries(value as object).map(([key, item]) => [key, toPrinted(item)]));
  return value === undefined ? null : readPrintedJson(JSON.stringify(value));
}
