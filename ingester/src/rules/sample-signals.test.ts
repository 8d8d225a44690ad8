import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPipelineUnderTest } from '../testing/pipeline-under-test.js';

/** Real logs of jobs, which are not part of the project. */
const SAMPLES = join(__dirname, '../../../../shared/samples/logs');
const RECORDINGS = join(__dirname, '../render/testing/recordings');

/** The signals of each log, `severity name count`, and its reason where the log alone tells it. */
interface Expected {
  readonly signals: readonly string[];
  readonly reason?: string;
}

const NOTHING: Expected = { signals: [] };

const REAL: Readonly<Record<string, Expected>> = {
  'abort_mpirun_hpcnlp_output.out': {
    signals: ['error aborted 1'],
    reason: 'mpirun noticed that process rank 110 with PID 0 on node hpb0205 exited on signal 6 (Aborted).',
  },
  'cnf_run2.o676800': { signals: ['warning command-not-found 1', 'warning module-not-found 1'] },
  'cudaoom_ienlp_slurm.out': {
    signals: ['error cuda-out-of-memory 1'],
    reason: 'RuntimeError: CUDA out of memory. Tried to allocate 2.93 GiB',
  },
  'cudaoom_swinir_wandb_output.log': {
    signals: ['error cuda-out-of-memory 1', 'error cuda-out-of-memory 1'],
    reason: 'OutOfMemoryError: CUDA out of memory. Tried to allocate 80.00 MiB.',
  },
  'fairseq_w2v2_hydra_train.log': NOTHING,
  'gromacs_md.log': NOTHING,
  'hf_dpo_test.out': NOTHING,
  'hf_trainer_peft_train.log': NOTHING,
  'keras_fit_covidnn_train.out': NOTHING,
  'lammps_lj_log.lammps': NOTHING,
  'lightning_tmr_train.out': NOTHING,
  'megatron_lm_loss_lsf.out': NOTHING,
  'mmseg_potato_None.log.json': NOTHING,
  'modnf_megatron_lsf.err': {
    signals: ['warning error-line 1', 'warning file-not-found 1', 'error module-not-found 48'],
    reason: "ModuleNotFoundError: No module named 'apex' (utils.py:13)",
  },
  'nan_realestate.out': { signals: ['error loss-nan 811'], reason: 'Loss is NaN' },
  'nccl_segv_megatron_lsf.err': {
    signals: [
      ...['warning error-line 1', 'warning file-not-found 1', 'warning command-not-found 96', 'error nccl-error 5'],
      ...['error nccl-error 1', 'error segmentation-fault 1'],
    ],
    reason: 'DistBackendError: NCCL error in: ProcessGroupNCCL.cpp:1275, unhandled cuda error',
  },
  'nextflow_gmx_error.nextflow.log': {
    signals: [
      ...['error task-failed 1', 'error task-failed 2', 'error task-failed 1', 'error disk-full 3'],
      'error mpi-abort 14',
    ],
    reason: 'Cannot rename checkpoint file; maybe you are out of disk space?',
  },
  'nextflow_ok.nextflow.log': NOTHING,
  'openfoam_log.interFoam': NOTHING,
  'openfoam_log.simpleFoam': NOTHING,
  'openvla_slurm.out': {
    signals: [
      ...['error python-exception 1', 'warning cancelled 7', 'error python-exception 2', 'error task-failed 5'],
      ...['error task-failed 5', 'error task-failed 5'],
      ...['error python-exception 1', 'error python-exception 1', 'error python-exception 1'],
    ],
    reason: 'cancelled',
  },
  'quota_peft_train.err': {
    signals: ['error disk-quota 1'],
    reason: 'SafetensorError: Error while serializing: IoError(Os { code: 122, kind: FilesystemQuotaExceeded',
  },
  'slurm_cancelled_soap.e': { signals: ['warning exception 1', 'warning cancelled 1'], reason: 'cancelled' },
  'slurm_nodefailure_idefics_excerpt.txt': {
    signals: ['error node-failure 1', 'info terminated 1', 'error node-failure 1'],
    reason: 'node failure of jean-zay-iam37',
  },
  'slurm_oomkill_test.err': { signals: ['error out-of-memory 2'], reason: 'killed for memory' },
  'slurm_timelimit_schnet.e': { signals: ['warning exception 1', 'error time-limit 1'], reason: 'time limit' },
  'slurm_timelimit_soap.e': { signals: ['warning exception 1', 'error time-limit 1'], reason: 'time limit' },
  'snakemake_slurm.out': NOTHING,
  'traceback_umdc_sweep.txt': {
    signals: ['error python-exception 10'],
    reason: 'RuntimeError: indices should be either on cpu or on the same device as the indexed tensor (cpu)',
  },
  'xgboost_geotab_xgb.log': NOTHING,
  'yolo_madeye_train2.log': NOTHING,
};

const RECORDED = [
  ...['curl', 'docker-pull', 'enlighten-bars', 'keras-progbar', 'npm-install', 'pip-install'],
  ...['rich-progress', 'tqdm-four-bars', 'tqdm-nested', 'tqdm-one-bar', 'watch'],
];

async function find(bytes: Buffer): Promise<{ signals: string[]; reason: string }> {
  const test = createPipelineUnderTest();
  await test.write('stdout', bytes);
  test.end();
  const stored = test.stored();
  const events = stored.filter(({ tags }) => tags.get('topic') === 'signal');
  const data = events.map(({ fields }) => JSON.parse(String(fields.get('data'))) as Record<string, unknown>);
  const reasons = stored.flatMap(({ measurement, fields }) => (measurement === 'job' ? [fields.get('reason')] : []));
  return {
    signals: data.map(({ severity, name, count }) => [severity, name, count].join(' ')),
    reason: String(reasons.at(-1) ?? ''),
  };
}

(existsSync(SAMPLES) ? describe : describe.skip)('the signals of real logs', () => {
  it.each(Object.entries(REAL))('%s', async (name, { signals, reason = '' }) => {
    const found = await find(readFileSync(join(SAMPLES, name)));
    expect(found.signals).toEqual(signals);
    if (reason === '') expect(found.reason).toBe('');
    else expect(found.reason.startsWith(reason)).toBe(true);
  });
});

describe('the recordings of programs that end well', () => {
  it.each(RECORDED)('%s has no signal', async (name) => {
    await expect(find(readFileSync(join(RECORDINGS, `${name}.raw`)))).resolves.toEqual({ signals: [], reason: '' });
  });
});
