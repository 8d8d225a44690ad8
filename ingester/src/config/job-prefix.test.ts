import { fillJobPrefix, readCluster } from './job-prefix.js';

describe('the prefix of ids', () => {
  it.each<[string, string | undefined, string]>([
    ['', 'alpha', ''],
    ['alpha/', 'beta', 'alpha/'],
    ['{cluster}/', 'alpha', 'alpha/'],
    ['{cluster}/', 'gpu-2_(new).a', 'gpu-2_(new).a/'],
    ['site.{cluster}-', 'b$&', 'site.b$&-'],
    ['{cluster}:{cluster}/', 'a', 'a:a/'],
    ['{Cluster}/', 'a', '{Cluster}/'],
    ['site.{cluster}-', undefined, ''],
    ['alpha/', undefined, 'alpha/'],
  ])('%j on the cluster %j is %j', (prefix, cluster, filled) => {
    expect(fillJobPrefix(prefix, cluster)).toBe(filled);
  });

  it.each<[Record<string, string>, string | undefined]>([
    [{}, undefined],
    [{ SLURM_CLUSTER_NAME: '' }, undefined],
    [{ SLURM_CLUSTER_NAME: 'alpha' }, 'alpha'],
  ])('takes of %j the cluster %j', (environment, cluster) => {
    expect(readCluster(environment)).toBe(cluster);
  });
});
