import { err, ok, type Result } from '@joblens/core/result/result';
import { askCluster, parseClusterName } from './ask-cluster.js';

const CONFIG = `Configuration data as of 2026-11-28T04:00:00
AccountingStorageHost   = localhost
ClusterName             = gpu-2_(a).b
CompleteWait            = 0 sec
`;

describe('parseClusterName', () => {
  it.each([
    [CONFIG, ok('gpu-2_(a).b')],
    [CONFIG.replace('gpu-2_(a).b', '(null)'), err('slurm.conf has no ClusterName')],
    [CONFIG.replace('ClusterName', 'XClusterName'), err('slurm.conf has no ClusterName')],
    ['', err('slurm.conf has no ClusterName')],
  ])('%#', (text, name) => {
    expect(parseClusterName(text)).toEqual(name);
  });
});

it('asks until Slurm answers, ever more seldom, and says once that it does not', async () => {
  const answers: Result<string, string>[] = [err('slurm_load_ctl_conf error'), err('again'), ok(''), ok(CONFIG)];
  const [asked, slept, said]: [string[], number[], string[]] = [[], [], []];
  const name = await askCluster(
    (command, args) => {
      asked.push([command, ...args].join(' '));
      return Promise.resolve(answers[asked.length - 1] ?? ok(CONFIG));
    },
    {
      clock: { sleep: (ms) => Promise.resolve(void slept.push(ms)) },
      report: { warn: (message) => void said.push(message) },
    }
  );
  expect(name).toBe('gpu-2_(a).b');
  expect(asked).toEqual(Array.from({ length: 4 }, () => 'scontrol show config'));
  expect(slept).toEqual([2000, 4000, 8000]);
  expect(said).toEqual([expect.stringMatching(/slurm_load_ctl_conf error; it is asked again/)]);
});
