// For the programs here: does the work and prints its cost as JSON, for measureWork in process-cost.mjs.
import { performance } from 'node:perf_hooks';

/**
 * @param {() => unknown} work its result is printed as `result`, so that nothing is optimised away
 * @param {number} times how often to do it; the cheapest time counts, because a daemon's code is compiled by then
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
