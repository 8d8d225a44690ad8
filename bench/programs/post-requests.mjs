// Posts the points of a file from memory, some in each request, over some connections at once.
// node post-requests.mjs FILE URL POINTS CONNECTIONS
import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { DATABASE, send } from '../influxdb.mjs';
import { reportWork } from './report-work.mjs';

const LF = 0x0a;

const [, , file, url, pointsOfRequest, connections] = process.argv;
const bodies = splitPoints(readFileSync(file), Number(pointsOfRequest));
const agent = new Agent({ keepAlive: true, maxSockets: Number(connections) });

await reportWork(async () => {
  let next = 0;
  const postSome = async () => {
    while (next < bodies.length) {
      const body = bodies[next++];
      await send(url, `/write?db=${DATABASE}&precision=ns`, { method: 'POST', body, agent });
    }
  };
  await Promise.all(Array.from({ length: Number(connections) }, postSome));
  return bodies.length;
});
agent.destroy();

/** Parts of so many lines each. */
function splitPoints(bytes, lines) {
  const parts = [];
  for (let start = 0, end = 0; start < bytes.length; start = end) {
    for (let line = 0; line < lines && end < bytes.length; line++) end = bytes.indexOf(LF, end) + 1;
    parts.push(bytes.subarray(start, end));
  }
  return parts;
}
