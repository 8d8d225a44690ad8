import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWith } from '../../../../test/components.js';
import { prepareJoblens, until } from '../../testing/joblens.js';
import { type Cluster, logOf, readPoints, startCluster, statesOf } from './testing/cluster.js';

jest.setTimeout(300_000);

describeWith(['slurm'], 'jobs of several Slurm clusters', () => {
  const joblens = prepareJoblens();
  afterAll(() => joblens.remove());

  async function withCluster(clusterName: string, task: (cluster: Cluster) => Promise<void>): Promise<void> {
    const cluster = await startCluster({ clusterName });
    try {
      await task(cluster);
    } finally {
      await cluster.stop();
    }
  }

  it('have ids of their own under one prefix, by watch and by run', async () => {
    const out = join(joblens.folder, 'watched.lp');
    const ofRun = join(joblens.folder, 'run.lp');
    const read = (path: string): ReturnType<typeof readPoints> =>
      readPoints(existsSync(path) ? readFileSync(path, 'utf8') : '');
    const ids: string[] = [];
    for (const name of ['alpha', 'gpu-2_new']) {
      await withCluster(name, async (cluster) => {
        const environment = { ...cluster.environment, JOBLENS_JOB_PREFIX: '{cluster}/' };
        const daemon = joblens.start(
          ['watch', '--slurm', '--mode', 'enabled', '--slurm-interval', '0.5', '--out', out],
          environment
        );
        const run = `joblens run --mode enabled --out ${ofRun} -- echo "run on ${name}"`;
        const job = await cluster.submit(`#!/bin/sh\necho "watched on ${name}"\n${run} >/dev/null\n`, [], {
          environment: { JOBLENS_JOB_PREFIX: '{cluster}/', JOBLENS_SITE_FILE: 'off' },
        });
        const id = `${name}/${job}`;
        ids.push(id);
        await until(
          () => statesOf(read(out), id).at(-1)?.endsWith('>COMPLETED') === true && logOf(read(out), id).length > 0
        );
        daemon.kill('SIGTERM');
        expect((await daemon.ended).code).toBe(0);
        expect(logOf(read(out), id)[0]).toBe(`watched on ${name}`);
        expect(logOf(read(ofRun), id)).toEqual([`run on ${name}`]);
      });
    }
    // Both clusters count from 1.
    expect(new Set(ids.map((id) => id.split('/')[1])).size).toBe(1);
    const stored = [...read(out), ...read(ofRun)].flatMap(({ tags }) => tags.get('job') ?? []);
    expect([...new Set(stored)].sort()).toEqual([...ids].sort());
  });
});
