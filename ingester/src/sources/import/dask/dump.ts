import { isObject } from '@joblens/core/json/is-object';
import { decode } from '@msgpack/msgpack';
import { ImportError, type ImportRequest } from '../job/importer.js';
import { readSourceBytes } from '../job/source-file.js';
import { findTooDeepYaml } from '../../../rules/options/bounded-yaml.js';

/** A dump is decoded as a whole. Those of YAML take far more memory and time. */
const MAX_BYTES = 1024 * 1024 * 1024;
const MAX_YAML_BYTES = 64 * 1024 * 1024;

export type Unknown = Readonly<Record<string, unknown>>;

/** Reads what `Client.dump_cluster_state` wrote: msgpack, mostly packed, or YAML. */
export async function readDump(request: ImportRequest): Promise<Unknown> {
  const bytes = await readSourceBytes(request, MAX_BYTES);
  const [first = 0] = bytes;
  // A map: with few entries, or with their number behind this byte.
  const isMsgpack = (first & 0xf0) === 0x80 || first === 0xde || first === 0xdf;
  const dump = isMsgpack ? decodeMsgpack(request.source, bytes) : await decodeYaml(request.source, bytes);
  if (isObject(dump) && isObject(dump['scheduler'])) return dump;
  throw new ImportError(`cannot read ${request.source}: it is no dump of a Dask cluster (dump_cluster_state)`);
}

function decodeMsgpack(source: string, bytes: Buffer): unknown {
  try {
    return decode(bytes);
  } catch (error) {
    throw new ImportError(`cannot read ${source}: its msgpack is cut off or damaged: ${String(error)}`);
  }
}

async function decodeYaml(source: string, bytes: Buffer): Promise<unknown> {
  if (bytes.length > MAX_YAML_BYTES) {
    throw new ImportError(`cannot read ${source}: YAML of more than 64 MiB; dump it with format="msgpack"`);
  }
  const { Lexer, parse } = await import('yaml');
  const text = bytes.toString('utf8');
  if (findTooDeepYaml(text, new Lexer()) !== undefined)
    throw new ImportError(`cannot read ${source}: it is nested too deep`);
  try {
    // Python's dumps have tags of its own, which only give warnings, and refer to what was written before.
    return parse(text, { logLevel: 'error', maxAliasCount: -1, uniqueKeys: false }) as unknown;
  } catch (error) {
    const [found = ''] = String(error).split('\n');
    throw new ImportError(`cannot read ${source}: it is neither msgpack nor YAML: ${found}`);
  }
}
