import { readFileSync } from 'node:fs';
import { type Clock, createSystemClock } from '../../clock/clock.js';
import { until } from '../../testing/joblens.js';
import { startWitness } from './witness.js';

/** The process id of the witness, a child of this process, once it is what it will be. */
async function findWitness(): Promise<number> {
  const isWitness = (pid: number): boolean => pid > 0 && readFileSync(`/proc/${pid}/comm`, 'utf8') === 'cat\n';
  const find = (): number | undefined =>
    readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8').split(' ').map(Number).find(isWitness);
  await until(() => find() !== undefined);
  return find() ?? 0;
}

/** As the system's, but it waits for an answer for ever: no machine is too slow. */
const system = createSystemClock();
const patient: Pick<Clock, 'monotonicMs' | 'sleep'> = {
  monotonicMs: () => system.monotonicMs(),
  sleep: (delayMs, signal) => system.sleep(delayMs < 1000 ? delayMs : 1e9, signal),
};

describe('a witness', () => {
  it('that does not get the processor for a while still tells that it was sent a signal', async () => {
    const witness = startWitness(patient);
    const pid = await findWitness();
    process.kill(pid, 'SIGSTOP');
    await until(() => readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') T '));
    process.kill(pid, 'SIGTERM');
    const seen = witness.hasSeen('SIGTERM');
    setTimeout(() => process.kill(pid, 'SIGCONT'), 300);
    expect(await seen).toBe(true);
    witness.end();
  });

  it('that was not sent the signal says so, each time', async () => {
    const witness = startWitness(system);
    await findWitness();
    expect(await Promise.all([witness.hasSeen('SIGTERM'), witness.hasSeen('SIGINT')])).toEqual([false, false]);
    expect(await witness.hasSeen('SIGTERM')).toBe(false);
    witness.end();
  });

  it('that has ended by itself does not keep anybody waiting', async () => {
    const witness = startWitness(patient);
    const pid = await findWitness();
    witness.end();
    const isAlive = (): boolean => {
      try {
        return process.kill(pid, 0);
      } catch {
        return false;
      }
    };
    while (isAlive()) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(await witness.hasSeen('SIGTERM')).toBe(false);
  });
});
