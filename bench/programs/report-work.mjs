// For the programs here: does the work and prints what it cost as JSON, for measureWork in process-cost.mjs.
import { performance } from 'node:perf_hooks';

/** @param {() => unknown} work returns what is printed as `result`, so that nothing of it is optimised away */
export async function reportWork(work) {
  const start = process.cpuUsage();
  const startMs = performance.now();
  const result = await work();
  const wallMs = performance.now() - startMs;
  const { user, system } = process.cpuUsage(start);
  console.log(JSON.stringify({ cpuMs: (user + system) / 1000, wallMs, result }));
}
