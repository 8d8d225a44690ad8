import type { NamedNumber } from '../../named-numbers.js';

// What a program prints of its settings, and of its environment, looks like what it measures.

/** Names that tell of a setting, though a measure is in them: `loss_weight`, `max_grad_norm`, `layernorm_epsilon`. */
const SETTING =
  /(?:^|[_ .-])(?:weights?|decay|coefs?|coeffs?|coefficients?|eps|epsilon|type|momentum|dropout|thr|thresh|threshold|interval|freq|frequency|every|dims?|heads|layers?|gamma|alpha|betas?\d?|seed|workers|warmup|patience|smoothing|reduction|scale|fn|func|name|mode|enabled?|target)$|^(?:max_grad|clip|layer_?norm|rms_?norm|batch_?norm|use|with|num|n|warmup)(?:_|$)|_(?:clip|clipping|norm_(?:type|eps|first|before))$/i;

/** A variable of the environment, which is bound to a whole number: `HYDRA_FULL_ERROR=1`. */
const ENVIRONMENT = /(?:^|\s)[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/;

/** Whether a number tells how a program was set up, whatever else is in its name. */
export function isSetting({ name, text }: Pick<NamedNumber, 'name' | 'text'>): boolean {
  return SETTING.test(name) || (ENVIRONMENT.test(name) && /^\d+$/.test(text));
}

/** One member of an object that is printed over several lines: `"eps": 1e-05,`, `max_grad_norm=1.0,`, `lr: 0.1,`. */
const MEMBER = /^\s*(?:["'][^"']*["']\s*:|[A-Za-z_][\w.-]*\s*[:=])\s*[^\s,][^,=]*,$/;
/** What others tell of the whole run at its end, or of its beginning, and the thresholds of COCO's measures. */
const REPORT =
  /^\s*(?:(?:wandb|swanlab|neptune|COMET (?:INFO|WARNING))\s*:|\[LightGBM\] \[|Average \w+\s+\(A[PR]\) @\[)/;

/** `  BBOX_REG_LOSS: 1.0` of a configuration in YAML. */
const YAML_MEMBER = /^\s+(?:- )?[A-Z][A-Z0-9_]*:\s+\S+$/;

/** Whether a line by itself tells of settings, or of the whole run. */
export function isSettingLine(line: string): boolean {
  return /^\s*["']/.test(line) || REPORT.test(line) || MEMBER.test(line) || YAML_MEMBER.test(line);
}
