import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MetadataKind } from '@joblens/core/lines/metadata-kind';
import { createKindReader } from '@joblens/core/lines/kind-reader';
import { suggest } from '@joblens/core/lines/suggest';
import { compilePattern } from '../rules/options/compile-pattern.js';
import { renderLines } from './rendered-lines.js';

/** Output of real jobs, which is not part of this repository. docs/real-logs.md says what they are. */
const FOLDER = join(__dirname, '../../../../shared/samples/logs');
const LOGS = existsSync(FOLDER) ? readdirSync(FOLDER).filter((name) => !name.endsWith('.md')) : [];

const AUTO: readonly MetadataKind[] = ['json', { preset: 'auto' }];

/** The rows that `auto` finds in each log, and some of their keys. All others have none. */
const BY_AUTO: Readonly<Record<string, readonly [rows: number, ...keys: string[]]>> = {
  'fairseq_w2v2_hydra_train.log': [43, 'epoch', 'loss', 'valid_loss', 'train_loss'],
  'gromacs_md.log': [5, 'Step', 'Time', 'Potential', 'Ryckaert-Bell.', 'Pressure (bar)'],
  'hf_dpo_test.out': [111, 'epoch', 'loss', 'rewards/margins', 'train_loss'],
  'hf_trainer_peft_train.log': [26, 'epoch', 'loss', 'learning_rate'],
  'keras_fit_covidnn_train.out': [154, 'epoch', 'loss', 'accuracy', 'val_loss', 'val_accuracy'],
  'lammps_lj_log.lammps': [21, 'Step', 'Temp', 'TotEng', 'Volume'],
  'lightning_tmr_train.out': [500, 'epoch', 'loss', 'v_loss', 'v_t2m/R01'],
  'megatron_lm_loss_lsf.out': [289, 'iteration', 'lm loss', 'validation lm loss value', 'lr'],
  'mmseg_potato_None.log.json': [1191, 'epoch', 'loss', 'mIoU'],
  'nan_realestate.out': [1005, 'epoch', 'step', 'Loss', 'Training-time'],
  'openfoam_log.interFoam': [47, 'Time', 'p_rgh initial residual', 'courant max', 'deltaT'],
  'openfoam_log.simpleFoam': [241, 'Time', 'Ux initial residual', 'p initial residual'],
  'slurm_nodefailure_idefics_excerpt.txt': [2, 'iteration', 'per_token_loss', 'val_per_token_loss'],
  'traceback_umdc_sweep.txt': [246, 'epoch', 'loss', 'acc', 'lr'],
  'xgboost_geotab_xgb.log': [5228, 'iteration', 'train-rmse', 'validation-rmse'],
  'yolo_madeye_train2.log': [31, 'epoch', 'box_loss', 'mAP50-95'],
};

/** The best suggestion for logs in which `auto` finds nothing. */
const BY_SUGGESTION: Readonly<Record<string, readonly [rows: number, ...keys: string[]]>> = {
  'abort_mpirun_hpcnlp_output.out': [3794, 'Process', 'itcount_Memory_occupied'],
};

(LOGS.length === 0 ? describe.skip : describe)('real logs', () => {
  it.each(LOGS)('%s has the graph that the table of the docs says', (name) => {
    const lines = renderLines(readFileSync(join(FOLDER, name)));
    const reader = createKindReader({ kinds: AUTO, nonfinite: 'log', compile: compilePattern });
    const rows = lines.flatMap((line) => reader.read(line) ?? []);
    const keys = [...new Set(rows.flatMap((row) => [...row.keys()]))];
    const [count = 0, ...expected] = BY_AUTO[name] ?? [];
    expect([name, rows.length]).toEqual([name, count]);
    expect(keys).toEqual(expect.arrayContaining(expected));
    const wanted = BY_SUGGESTION[name];
    if (wanted === undefined) return;
    const [best] = suggest(lines, { compile: compilePattern });
    expect([best?.rows.length, ...(best?.names ?? [])]).toEqual(expect.arrayContaining([...wanted]));
  });

  it('are all in the table of the docs', () => {
    const docs = readFileSync(join(__dirname, '../../../docs/real-logs.md'), 'utf8');
    for (const name of LOGS) expect(docs).toContain(`\`${name}\``);
  });
});
