import { isNumberText, readPrintedValue } from '../../printed-value.js';
import { definePreset } from './preset.js';
import { isSetting } from './settings.js';

const CELLS = /^\|\s*(\S(?:[^|]*[^|\s])?)\s*\|\s*(?:([^|\s]+)\s*)?\|$/;
const RULE = /^[-+=|]{6,}$/;
/** What a box of settings or of the parts of a network has none of. */
const MEASURED = /loss|rew|ret|len|score|acc|err|fps|kl|entropy|explained|ev$/i;
/** The best first: an episode may be of any length. */
const BOX_COUNTERS = [
  /total[ _]?(?:num_)?(?:time_?)?steps|timesteps_?so_?far|totalenvinteracts/i,
  /(?:^|\/)(?:epoch|n?iterations?|nupdates|steps)$/i,
];
const MAX_KEYS = 200;

type Pair = readonly [string, number | string];

/** `| loss | 0.5 |` on line after line, up to a rule, is one row. Sections such as `| train/ | |` begin its names. */
export const STABLE_BASELINES = definePreset({
  name: 'stable-baselines',
  program: 'Stable-Baselines3, OpenAI Baselines, Spinning Up',
  needles: ({ row, section }) => (row.length === 0 && section === '' ? ['|'] : undefined),
  counters: (row) => BOX_COUNTERS.flatMap((pattern) => [...row.keys()].filter((key) => pattern.test(key))),
  initial: { row: [] as readonly Pair[], section: '' },
  read(line, state) {
    const [, name, value = ''] = CELLS.exec(line) ?? [];
    if (name !== undefined && state.row.length < MAX_KEYS) {
      if (value === '') {
        state.section = /\/$/.test(name) ? name : '';
      } else if (isNumberText(value)) {
        state.row = [...state.row, [state.section + name.replace(/:$/, ''), readPrintedValue(value)]];
      }
      return undefined;
    }
    const isMeasured = state.row.some(([key]) => MEASURED.test(key) && !isSetting({ name: key, text: '' }));
    const row = RULE.test(line) && state.row.length > 1 && isMeasured ? new Map(state.row) : undefined;
    Object.assign(state, { row: [], section: '' });
    return row;
  },
});
