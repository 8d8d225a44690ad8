// A log in InfluxDB, as the ingester writes it.
import { createLogLineFormatter } from '../../../core/dist/schema/log-point.js';
import { DATABASE, send } from '../../influxdb.mjs';
import { FROM_MS } from './table.mjs';

const MS_A_LINE = 10;
const LINES_A_REQUEST = 20_000;

/** The job's lines, one each 10 ms from FROM_MS on; the text of line n begins with formatLineName(n). */
export async function writeLog(url, job, lines) {
  await createLogWriter(url, job).write(lines);
}

/**
 * For the lines of a job that prints them one after the other.
 * @returns {{ write: (lines: number) => Promise<void> }} the next lines; `timeOfMs` says when each is printed
 */
export function createLogWriter(url, job, { timeOfMs = timeOfLineMs } = {}) {
  const { format, formatAnsi } = createLogLineFormatter({ job, user: 'bench' }, 'stdout');
  let written = 0;
  const formatLine = (at) => {
    const text = createLine(at);
    const timeText = `${timeOfMs(at)}000000`;
    return at % 10 === 0
      ? formatAnsi(text, `\u001b[36m${text}\u001b[0m`, 'output', timeText)
      : format(text, 'output', timeText);
  };
  return {
    async write(lines) {
      for (const end = written + lines; written < end;) {
        let body = '';
        const next = Math.min(end, written + LINES_A_REQUEST);
        for (; written < next; written++) body += formatLine(written);
        await send(url, `/write?db=${DATABASE}&precision=ns`, { method: 'POST', body });
      }
    },
  };
}

export const timeOfLineMs = (at) => FROM_MS + at * MS_A_LINE;

export const formatLineName = (at) => `line ${at}:`;

function createLine(at) {
  const level = at % 97 === 0 ? 'WARNING' : 'INFO';
  const loss = (1 / (1 + at / 1e4)).toFixed(4);
  return `${formatLineName(at)} [${level}] epoch ${Math.floor(at / 1000)} step ${at} loss ${loss} lr 1.0e-04 grad_norm 0.7312`;
}
