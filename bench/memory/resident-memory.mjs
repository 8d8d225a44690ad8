// Reads the most memory that a process has had, as Linux counts it.
import { clearInterval, setInterval } from 'node:timers';
import { readFileSync } from 'node:fs';

const LOOK_MS = 20;

/** Watches a child until it ends. @returns {() => number} its peak so far, MiB (VmHWM of proc(5)) */
export function watchMemory(child) {
  let mostMib = 0;
  const look = () => {
    try {
      const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? [];
      if (kib !== undefined) mostMib = Math.max(mostMib, Number(kib) / 1024);
    } catch {
      // It has ended.
    }
  };
  const timer = setInterval(look, LOOK_MS);
  child.once('exit', () => clearInterval(timer));
  return () => mostMib;
}
