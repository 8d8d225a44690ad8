import { err, ok, type Result } from '@joblens/core/result/result';
import { askCluster } from './ask-cluster.js';

const CONFIG = 'ClusterName             = gpu-2_(a).b\n';

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
