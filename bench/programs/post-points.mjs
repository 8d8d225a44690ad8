// Posts the points of a file from memory to an InfluxDB 1.x, one request after the other.
// node post-points.mjs FILE URL BYTES_A_REQUEST
import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { DATABASE, send } from '../influxdb.mjs';
import { reportWork } from './report-work.mjs';

const LF = 0x0a;

const [, , file, url, bytesOfRequest] = process.argv;
const bodies = splitPoints(readFileSync(file), Number(bytesOfRequest));
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

await reportWork(async () => {
  for (const body of bodies) await send(url, `/write?db=${DATABASE}&precision=ns`, { method: 'POST', body, agent });
  return bodies.length;
});
agent.destroy();

/** Parts of about that many bytes, each of whole lines. No point holds a line feed. */
function splitPoints(bytes, partBytes) {
  const parts = [];
  for (let start = 0; start < bytes.length;) {
    const end = start + partBytes >= bytes.length ? bytes.length : bytes.lastIndexOf(LF, start + partBytes) + 1;
    parts.push(bytes.subarray(start, end));
    start = end;
  }
  return parts;
}
