import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFreePort, untilReady } from '../../influxdb.mjs';
import { inputBytes, telegrafPoint, writeLines } from '../../inputs.mjs';
import { measureProcess, measureWork } from '../../process-cost.mjs';

const POST_REQUESTS = fileURLToPath(new URL('../../programs/post-requests.mjs', import.meta.url));
const POINTS_A_REQUEST = 5000;
const CONNECTIONS = 4;

/** Requests as Telegraf's agents send them. */
export function prepareRequests({ folder, isShort }) {
  const path = join(folder, 'requests.lp');
  const pointCount = writeLines(path, inputBytes(isShort), telegrafPoint);
  const post = (url) => measureWork(POST_REQUESTS, [path, url, String(POINTS_A_REQUEST), String(CONNECTIONS)]);
  return {
    pointCount,
    /** Sends them. Resolves to the cost when all are answered with 2xx. */
    post,
    /**
     * Sends them to a program that listens until a SIGTERM. Returns the CPU time of its whole life and the wall time of
     * sending.
     */
    async measureListener(createCommand, options) {
      const port = await findFreePort();
      const url = `http://127.0.0.1:${port}`;
      let wallMs;
      const untilDone = async () => {
        await untilReady(url);
        ({ wallMs } = await post(url));
      };
      const { cpuMs } = await measureProcess(createCommand(port), { ...options, untilDone });
      return { cpuMs, wallMs };
    },
  };
}
