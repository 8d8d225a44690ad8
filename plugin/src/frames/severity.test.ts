import { inferSeverity } from './severity.js';

describe('inferSeverity', () => {
  it.each([
    ['2026-11-21 10:00:00,123 ERROR train: out of memory', 'error'],
    ['ERROR:root:broken', 'error'],
    ['[FATAL] no disk', 'error'],
    ['slurmstepd: error: *** JOB 12 CANCELLED ***', 'error'],
    ['main.c:3:1: warning: unused', 'warning'],
    ['error: pathspec', 'error'],
    ['Fatal error: x', 'error'],
    ['Traceback (most recent call last):', 'error'],
    ['ValueError: bad', 'error'],
    ['torch.cuda.OutOfMemoryError: CUDA out of memory', 'error'],
    ['WARNING:tensorflow:slow', 'warning'],
    ['/usr/lib/x.py:12: DeprecationWarning: old', 'warning'],
    ['warning: unused variable', 'warning'],
    ['INFO 2026 started', 'info'],
    ['[DEBUG] x', 'debug'],
    ['epoch 3 mean error 0.3', ''],
    ['0 errors, 2 warnings', ''],
    ['the error was: none', ''],
    ['{"error": 0.5}', ''],
    ['', ''],
    [`${' '.repeat(250)}ERROR`, ''],
  ])('%s is %p', (line, expected) => {
    expect(inferSeverity(line)).toBe(expected);
  });
});
