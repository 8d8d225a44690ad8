// A log in InfluxDB, as the ingester writes it.
import { createLogLineFormatter } from '../../../core/dist/index.js';
import { DATABASE, send } from '../../influxdb.mjs';
import { FROM_MS } from './table.mjs';

const MS_A_LINE = 10;
const LINES_A_REQUEST = 20_000;

/** The job's lines, one each 10 ms from FROM_MS on; the text of line n begins with formatLineName(n). */
export async function writeLog(url, job, lines) {
  const { format, formatAnsi } = createLogLineFormatter({ job, user: 'bench' }, 'stdout');
  for (let from = 0; from < lines; from += LINES_A_REQUEST) {
    let body = '';
    for (let at = from; at < Math.min(lines, from + LINES_A_REQUEST); at++) {
      const text = createLine(at);
      const timeText = `${timeOfLineMs(at)}000000`;
      body +=
        at % 10 === 0
          ? formatAnsi(text, `\u001b[36m${text}\u001b[0m`, 'output', timeText)
          : format(text, 'output', timeText);
    }
    await send(url, `/write?db=${DATABASE}&precision=ns`, { method: 'POST', body });
  }
}

export const timeOfLineMs = (at) => FROM_MS + at * MS_A_LINE;

export const formatLineName = (at) => `line ${at}:`;

function createLine(at) {
  const level = at % 97 === 0 ? 'WARNING' : 'INFO';
  const loss = (1 / (1 + at / 1e4)).toFixed(4);
  return `${formatLineName(at)} [${level}] epoch ${Math.floor(at / 1000)} step ${at} loss ${loss} lr 1.0e-04 grad_norm 0.7312`;
}
