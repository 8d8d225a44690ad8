import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inputBytes, MB, plainLine, writeLines } from '../../inputs.mjs';
import { measureProcess } from '../../process-cost.mjs';

const SCAN = fileURLToPath(new URL('../../programs/scan-lines.mjs', import.meta.url));

/** A file of plain log lines. */
export function preparePlainLines({ folder, isShort }) {
  const path = join(folder, 'plain.log');
  const lineCount = writeLines(path, inputBytes(isShort), plainLine);
  const lastLine = plainLine(lineCount - 1).trimEnd();
  return { path, lineCount, lastLine, megabytes: inputBytes(isShort) / MB };
}

/** The scan as a whole process, like ours. Its note gives the scan without the start of Node. */
export function scanLines(path) {
  let scanCpuMs = Infinity;
  return {
    async measure() {
      const cost = await measureProcess([process.execPath, SCAN, path]);
      scanCpuMs = Math.min(scanCpuMs, JSON.parse(cost.stdout).cpuMs);
      return cost;
    },
    note: () => `the scan without the start of its process: ${scanCpuMs.toFixed(0)} ms CPU`,
  };
}
