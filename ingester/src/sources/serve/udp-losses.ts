import { readFile } from 'node:fs/promises';

const TABLES = ['/proc/net/udp', '/proc/net/udp6'];

/** Reads how many datagrams to this port the system had no room for; undefined if it does not tell. */
export async function readLostDatagrams(port: number): Promise<number | undefined> {
  const counts = await Promise.all(
    TABLES.map(async (path) => {
      try {
        return parseLostDatagrams(await readFile(path, 'latin1'), port);
      } catch {
        // No Linux, or no IPv6.
        return undefined;
      }
    })
  );
  const known = counts.filter((count) => count !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, count) => sum + count, 0);
}

/**
 * One row for each socket: `sl local_address … drops`, the address as hexadecimal `IP:PORT` (proc(5), /proc/net/udp).
 */
export function parseLostDatagrams(table: string, port: number): number | undefined {
  const [head = '', ...rows] = table.trimEnd().split('\n');
  if (!head.trimEnd().endsWith(' drops')) return undefined;
  const hexPort = port.toString(16).toUpperCase().padStart(4, '0');
  return rows
    .map((row) => row.trim().split(/\s+/))
    .filter(([, local = '']) => local.endsWith(`:${hexPort}`))
    .reduce((sum, columns) => sum + Number(columns.at(-1)), 0);
}
