// Reads the most memory that a process has had, as Linux counts it.
import { clearInterval, setInterval } from 'node:timers';
import { readFileSync } from 'node:fs';

const LOOK_MS = 20;

/** The processes of the command: itself, and those that it has started. */
function listFamily(pid) {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  return [
    pid,
    ...children.filter(
      (child) => child !== '' && readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('joblens.js')
    ),
  ];
}

/** Watches a child until it ends, and its own child that logs. @returns {() => number} its peak so far, MiB (VmHWM of proc(5)) */
export function watchMemory(child) {
  let mostMib = 0;
  const look = () => {
    try {
      for (const pid of listFamily(child.pid)) {
        const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
        if (kib !== undefined) mostMib = Math.max(mostMib, Number(kib) / 1024);
      }
    } catch {
      // It has ended.
    }
  };
  const timer = setInterval(look, LOOK_MS);
  child.once('exit', () => clearInterval(timer));
  return () => mostMib;
}
