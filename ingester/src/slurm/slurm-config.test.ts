import { err, ok } from '@joblens/core/result/result';
import { findClusterName, parseSlurmConfig } from './slurm-config.js';

const CONFIG = `Configuration data as of 2026-11-28T04:00:00
AccountingStorageHost   = localhost
ClusterName             = gpu-2_(a).b
CompleteWait            = 0 sec
LaunchParameters        = mpir_use_nodeaddr=1,test=(a)
PluginDir               = /usr/lib/x86_64-linux-gnu/slurm-wlm
TaskProlog              =

Cgroup Support Configuration:

Slurmctld(primary) at gpu-2 is UP
`;

describe('parseSlurmConfig', () => {
  it('finds each parameter by its name, with all that its value has', () => {
    expect([...parseSlurmConfig(CONFIG)]).toEqual([
      ['AccountingStorageHost', 'localhost'],
      ['ClusterName', 'gpu-2_(a).b'],
      ['CompleteWait', '0 sec'],
      ['LaunchParameters', 'mpir_use_nodeaddr=1,test=(a)'],
      ['PluginDir', '/usr/lib/x86_64-linux-gnu/slurm-wlm'],
      ['TaskProlog', ''],
    ]);
  });

  it('finds nothing where slurmctld does not answer', () => {
    expect(parseSlurmConfig('').size).toBe(0);
  });
});

describe('findClusterName', () => {
  it.each([
    [CONFIG, ok('gpu-2_(a).b')],
    [CONFIG.replace('gpu-2_(a).b', '(null)'), err('slurm.conf has no ClusterName')],
    [CONFIG.replace('ClusterName', 'XClusterName'), err('slurm.conf has no ClusterName')],
    ['', err('slurm.conf has no ClusterName')],
  ])('%#', (text, name) => {
    expect(findClusterName(parseSlurmConfig(text))).toEqual(name);
  });
});
