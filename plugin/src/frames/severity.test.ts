import { createLevelFilter, inferSeverity } from './severity.js';

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
    ['[rank3]: Traceback (most recent call last):', 'error'],
    ['[rank3]: RuntimeError: NCCL error', 'error'],
    ['12: ValueError: bad', 'error'],
    ['Exception in thread "main" java.lang.NullPointerException', 'error'],
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

describe('createLevelFilter', () => {
  const errors = createLevelFilter(['error']);
  const debug = createLevelFilter(['debug']);

  it.each([
    ['  File "train.py", line 3, in <module>', true],
    ['[rank0]:   File "train.py", line 3, in <module>', true],
    ['\tat org.example.Main.run(Main.java:7)', true],
    ['\t... 3 more', true],
    ['Caused by: java.io.IOException', true],
    ['    at most three', true],
    ['File "x" is read', false],
    ['    loss.backward()', false],
    ['step 3', false],
  ])('has with the errors the frames of stack traces: %s', (line, isFrame) => {
    expect(inferSeverity(line)).toBe('');
    expect(errors.isMatch(line, '')).toBe(isFrame);
    expect(new RegExp(errors.source.replace(/\(\?i:/g, '(?:')).test(line)).toBe(isFrame);
    expect(debug.isMatch(line, '')).toBe(false);
  });

  it('has the lines of its levels', () => {
    expect(errors.isMatch('ERROR x', 'error')).toBe(true);
    expect(errors.isMatch('WARNING x', 'warning')).toBe(false);
  });
});
