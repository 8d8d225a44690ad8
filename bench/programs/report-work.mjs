// For the programs here: does the work and prints what it cost as JSON, for measureWork in process-cost.mjs.
import { performance } from 'node:perf_hooks';

/**
 * @param {() => unknown} work returns what is printed as `result`, so that nothing of it is optimised away
 * @param {number} times does it so often; the time that cost least counts: what a daemon does all day is compiled by then
 */
export async function reportWork(work, times = 1) {
  let best;
  for (let i = 0; i < times; i++) {
    const cost = await measureOnce(work);
    if (best === undefined || cost.cpuMs < best.cpuMs) best = cost;
  }
  console.log(JSON.stringify(best));
}

async function measureOnce(work) {
  const start = process.cpuUsage();
  const startMs = performance.now();
  const result = await work();
  const wallMs = performance.now() - startMs;
  const { user, system } = process.cpuUsage(start);
  return { cpuMs: (user + system) / 1000, wallMs, result };
}
