/** Which numbers of a metric are better. */
export type MetricDirection = 'lower' | 'higher';

const LOWER = [
  ...[
    'loss',
    'error',
    'err',
    'perplexity',
    'ppl',
    'nll',
    'mse',
    'rmse',
    'mae',
    'mape',
    'wer',
    'cer',
    'fid',
    'bpb',
    'bpc',
  ],
  ...['time', 'latency', 'duration', 'seconds', 'runtime', 'elapsed', 'residual', 'regret', 'divergence', 'kl', 'eer'],
  ...['cost', 'energy', 'memory', 'misses', 'failures', 'entropy'],
];
const HIGHER = [
  ...[
    'acc',
    'accuracy',
    'f1',
    'auc',
    'auroc',
    'auprc',
    'ap',
    'map',
    'precision',
    'recall',
    'reward',
    'return',
    'score',
  ],
  ...['throughput', 'bleu', 'rouge', 'psnr', 'ssim', 'iou', 'miou', 'dice', 'r2', 'likelihood', 'elbo', 'correlation'],
  ...['fps', 'flops', 'tflops', 'mfu', 'speedup', 'success', 'wins', 'top1', 'top5', 'em'],
];
const DIRECTIONS: ReadonlyMap<string, MetricDirection> = new Map([
  ...LOWER.map((word) => [word, 'lower'] as const),
  ...HIGHER.map((word) => [word, 'higher'] as const),
]);
/** `samples_per_s`, `tokens/sec`. */
const RATE = /(?:_per_|\/)(?:s|sec|second)$/;
/** `step_s`, `time_ms`. */
const DURATION = /_(?:s|ms|us|ns|sec)$/;

/** Which numbers are better, guessed from the words of a metric's name; undefined if they do not say. */
export function guessDirection(metric: string): MetricDirection | undefined {
  const name = metric.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
  if (RATE.test(name)) return 'higher';
  // The last word says what it is: `reward_loss`, `loss_time_s`; `error_rate` is by its first.
  const directions = name.split(/[^a-z0-9]+/).flatMap((word) => DIRECTIONS.get(word) ?? []);
  return DURATION.test(name) ? 'lower' : directions.at(-1);
}
