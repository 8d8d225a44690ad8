import { BUILT_IN_SIGNALS } from './built-in-patterns.js';
import { SignalDetector } from './signal-detector.js';
import { MIN_LITERAL_CHARS } from './signal-pattern.js';

/** `severity name: message (place)` of each signal in a text. */
function detect(text: string): string[] {
  const detector = new SignalDetector(() => BUILT_IN_SIGNALS);
  return text.split('\n').flatMap((line) => {
    const signal = detector.take(line);
    if (signal === undefined) return [];
    const { severity, name, message, place } = signal;
    return `${severity} ${name}: ${message}${place === undefined ? '' : ` (${place})`}`;
  });
}

/** Lines as the tools print them. */
const LINES: ReadonlyArray<readonly [line: string, signal: string]> = [
  [
    'slurmstepd: error: *** JOB 7 ON n1 CANCELLED AT 2022-05-08T13:04:44 DUE TO TIME LIMIT ***',
    'error time-limit: time limit',
  ],
  [
    ' 22%|██▏ | 11/50 [1:55<6:48, 628.66s/it]slurmstepd: error: *** JOB 7 ON n1 CANCELLED AT 2022-04-14T16:17:16 DUE TO TIME LIMIT ***',
    'error time-limit: time limit',
  ],
  [
    'slurmstepd: error: *** STEP 7.0 ON n1 CANCELLED AT 2023-03-06T03:17:51 DUE TO NODE FAILURE, SEE SLURMCTLD LOG FOR DETAILS ***',
    'error node-failure: node failure',
  ],
  ['srun: error: Node failure on n17', 'error node-failure: node failure of n17'],
  [
    'slurmstepd: error: *** JOB 7 ON n1 CANCELLED AT 2024-01-01T00:00:00 DUE TO PREEMPTION ***',
    'error preempted: preempted',
  ],
  [
    'slurmstepd: error: *** JOB 7 ON n1 CANCELLED AT 2024-01-01T00:00:00 DUE TO JOB REQUEUE ***',
    'warning requeued: requeued',
  ],
  ['slurmstepd: error: *** JOB 7 ON n1 CANCELLED AT 2022-05-23T15:09:04 ***', 'warning cancelled: cancelled'],
  [
    'slurmstepd: error: Detected 1 oom_kill event in StepId=7.0. Some of the step tasks have been OOM Killed.',
    'error out-of-memory: killed for memory',
  ],
  ['srun: error: n4: task 0: Out Of Memory', 'error out-of-memory: killed for memory'],
  ['slurmstepd: error: Exceeded job memory limit', 'error out-of-memory: Exceeded job memory limit'],
  [
    'TERM_MEMLIMIT: job killed after reaching LSF memory usage limit.',
    'error out-of-memory: TERM_MEMLIMIT: job killed after reaching LSF memory usage limit.',
  ],
  [
    '=>> PBS: job killed: walltime 3619 exceeded limit 3600',
    'error time-limit: PBS: job killed: walltime 3619 exceeded limit 3600',
  ],
  ['MemoryError', 'error out-of-memory: MemoryError'],
  ["terminate called after throwing an instance of 'std::bad_alloc'", 'error out-of-memory: std::bad_alloc'],
  [
    'RuntimeError: CUDA out of memory. Tried to allocate 2.93 GiB',
    'error cuda-out-of-memory: RuntimeError: CUDA out of memory. Tried to allocate 2.93 GiB',
  ],
  ['java.lang.OutOfMemoryError: Java heap space', 'error out-of-memory: java.lang.OutOfMemoryError: Java heap space'],
  [
    'Out of memory: Killed process 4567 (python) total-vm:1kB',
    'error out-of-memory: Out of memory: Killed process 4567 (python) total-vm:1kB',
  ],
  [
    'CUDA error: an illegal memory access was encountered',
    'error cuda-error: CUDA error: an illegal memory access was encountered',
  ],
  [
    '[E ProcessGroupNCCL.cpp:475] [Rank 1] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=5)',
    'error nccl-timeout: Watchdog caught collective operation timeout: WorkNCCL(SeqNum=5)',
  ],
  [
    'mpirun noticed that process rank 110 with PID 0 on node b5 exited on signal 6 (Aborted).',
    'error aborted: mpirun noticed that process rank 110 with PID 0 on node b5 exited on signal 6 (Aborted).',
  ],
  [
    'MPI_ABORT was invoked on rank 3 in communicator MPI_COMM_WORLD',
    'error mpi-abort: MPI_ABORT was invoked on rank 3 in communicator MPI_COMM_WORLD',
  ],
  ['Segmentation fault (core dumped)', 'error segmentation-fault: Segmentation fault (core dumped)'],
  ['[n1:42] Signal: Segmentation fault (11)', 'error segmentation-fault: Segmentation fault (11)'],
  ['Killed', 'error killed: Killed'],
  [
    '/var/spool/slurmd/job7/slurm_script: line 12:  4567 Killed                  python train.py',
    'error killed: Killed: python train.py',
  ],
  ['what():  vector::_M_range_check', 'error cpp-exception: vector::_M_range_check'],
  ["cp: error writing 'x': No space left on device", "error disk-full: cp: error writing 'x': No space left on device"],
  ["cp: writing `x': Disk quota exceeded", 'error disk-quota: Disk quota exceeded'],
  ['bash: ./run.sh: Permission denied', 'warning permission-denied: bash: ./run.sh: Permission denied'],
  ['bash: line 3: module: command not found', 'warning command-not-found: bash: line 3: module: command not found'],
  [
    './a.out: error while loading shared libraries: libcuda.so.1: cannot open shared object file: No such file or directory',
    'warning module-not-found: error while loading shared libraries: libcuda.so.1: cannot open shared object file: No such file or directory',
  ],
  ["a.out: x.c:12: main: Assertion `n > 0' failed.", "error assertion: Assertion `n > 0' failed."],
  [
    'srun: error: n17: task 0: Exited with exit code 1',
    'error task-failed: srun: error: n17: task 0: Exited with exit code 1',
  ],
  ['step 3 loss: nan', 'error loss-nan: loss is NaN'],
  ["{'loss': nan, 'epoch': 1}", 'error loss-nan: loss is NaN'],
  ['{"train/loss": NaN}', 'error loss-nan: loss is NaN'],
  ['Epoch 3: val_loss=nan', 'error loss-nan: val_loss is NaN'],
  [' lm loss: -NAN |', 'error loss-nan: loss is NaN'],
];

/** Lines of programs that do well. */
const HARMLESS = [
  '(3) The worker is crashed unexpectedly due to SIGSEGV or another unexpected error.',
  '0 errors, 0 warnings',
  'mean error 0.1, error rate 0.1',
  'x = torch.nan_to_num(x)',
  'loss uses nan_to_num to be safe',
  'number of nan iterations:   0 | loss: 1.5',
  'loss: 0.5, nan_count: 0',
  'time step continuity errors : sum local = 5.3e-14',
  'trapFpe: Floating point exception trapping enabled (FOAM_SIGFPE).',
  'there is no such option, so the permission denied page is shown',
  'exit_signal_handler ............................. False',
  'max_tokens_to_oom ............................... 12000',
  'Execution complete -- Goodbye; exit: 0; error: -;',
  'memory limit: 12 GB, out of memory handling is on',
  'NCCL INFO Using network IB, NCCL version 2.18',
  'Killed 3 zombies in the game',
  'the traceback is empty',
  '0 tests failed with exit code 0',
  'process 12 exited with code 0',
  'Exited with exit code 0.',
  'the assertion holds',
  'WARNING: Segmentation fault handler installed',
  'finance: loss nancy',
];

describe('the built-in signals', () => {
  it.each(LINES)('finds in %j', (line, signal) => expect(detect(line)).toEqual([signal]));

  it.each(HARMLESS)('finds nothing in %j', (line) => expect(detect(line)).toEqual([]));

  it('need a text that the search over the bytes can find', () => {
    for (const { name, literals } of BUILT_IN_SIGNALS) {
      for (const literal of literals) {
        expect([name, literal.length >= MIN_LITERAL_CHARS && /^[ -~]+$/.test(literal)]).toEqual([name, true]);
      }
    }
  });

  it('take no longer for a line that is made to be slow', () => {
    const lines = BUILT_IN_SIGNALS.flatMap(({ literals }) =>
      literals.flatMap((literal) => [
        literal.repeat(2000),
        `${'a'.repeat(60_000)} ${literal}`,
        `${': '.repeat(20_000)}${literal}`,
      ])
    );
    const started = performance.now();
    for (const line of lines) detect(line);
    expect((performance.now() - started) / lines.length).toBeLessThan(100);
  });
});

describe('an exception that tells only that another process has gone', () => {
  it.each([
    ['BrokenPipeError: [Errno 32] Broken pipe', 'symptom'],
    ['ConnectionResetError: [Errno 104] Connection reset by peer', 'symptom'],
    ['torch.distributed.elastic.multiprocessing.api.SignalException: Process 7 got signal: 15', 'symptom'],
    ['OSError: handle is closed', 'symptom'],
    ['OSError: [Errno 5] Input/output error', 'cause'],
  ])('%s counts as a %s', (line, weight) => {
    const detector = new SignalDetector(() => BUILT_IN_SIGNALS);
    const lines = ['Traceback (most recent call last):', '  File "/home/ann/train.py", line 17, in <module>', line];
    expect(lines.flatMap((text) => detector.take(text) ?? []).map((signal) => signal.weight)).toEqual([weight]);
  });
});

describe('a Python traceback', () => {
  const own = ['Traceback (most recent call last):', '  File "/home/ann/train.py", line 17, in <module>', '    main()'];
  const foreign = [
    '  File "/home/ann/env/lib/python3.11/site-packages/torch/nn/modules/module.py", line 889, in _call_impl',
    '    result = self.forward(*input)',
  ];

  it('is its last exception, with the innermost frame of own code', () => {
    expect(detect([...own, ...foreign, 'ValueError: bad shape'].join('\n'))).toEqual([
      'error python-exception: ValueError: bad shape (train.py:17)',
    ]);
  });

  it('has the name of a pattern that knows its exception', () => {
    expect(detect([...own, "ModuleNotFoundError: No module named 'apex'"].join('\n'))).toEqual([
      "error module-not-found: ModuleNotFoundError: No module named 'apex' (train.py:17)",
    ]);
    expect(detect([...own, ...foreign, 'torch.cuda.OutOfMemoryError: CUDA out of memory.'].join('\n'))).toEqual([
      'error cuda-out-of-memory: OutOfMemoryError: CUDA out of memory. (train.py:17)',
    ]);
  });

  it.each([
    ['of plain Python', '    raise RuntimeError("CUDA error: out of memory")'],
    ['of rich', '│ ❱ 17 │   raise RuntimeError("CUDA error: out of memory")        │'],
  ])('does not happen in the code that it quotes, %s', (_name, code) => {
    expect(detect([...own, ...foreign, code, 'ValueError: bad shape'].join('\n'))).toEqual([
      'error python-exception: ValueError: bad shape (train.py:17)',
    ]);
    expect(detect(code)).toHaveLength(1);
  });

  it('hides no signal that comes while it is printed', () => {
    const killed = 'slurmstepd: error: *** JOB 7 ON n1 CANCELLED AT 2022-05-23T15:09:04 ***';
    expect(detect([...own, killed].join('\n'))).toEqual(['warning cancelled: cancelled']);
  });

  it('begins behind a bar, and behind the label of a rank', () => {
    const glued = [`52%|█ | 260/500 [11:57<11:22, 2.84s/it]${own[0]}`, ...own.slice(1), 'KeyError: 3'];
    expect(detect(glued.join('\n'))).toEqual(['error python-exception: KeyError: 3 (train.py:17)']);
    const labelled = [...own, 'KeyError: 3'].map((line) => `[rank3]: ${line}`);
    expect(detect(labelled.join('\n'))).toEqual(['error python-exception: KeyError: 3 (train.py:17)']);
  });

  it('of each of many ranks is found, though they print at once', () => {
    const ranks = 48;
    const lines = own.flatMap((line) => Array.from({ length: ranks }, () => line));
    const found = detect([...lines, ...Array.from({ length: ranks }, () => 'KeyError: 3')].join('\n'));
    expect(found).toEqual(Array.from({ length: ranks }, () => 'error python-exception: KeyError: 3 (train.py:17)'));
  });

  it('that Python went on after is a warning, and so is an interrupt', () => {
    const ignored = ['Exception ignored in: <function Pool.__del__ at 0x1>', ...own, 'OSError: [Errno 9] Bad'];
    expect(detect(ignored.join('\n'))).toEqual(['warning python-exception: OSError: [Errno 9] Bad (train.py:17)']);
    expect(detect([...own, 'KeyboardInterrupt'].join('\n'))).toEqual([
      'warning python-exception: KeyboardInterrupt (train.py:17)',
    ]);
  });

  it('without an end is given up after some hundred lines', () => {
    const detector = new SignalDetector(() => BUILT_IN_SIGNALS);
    for (const line of own) detector.take(line);
    for (let i = 0; i < 400; i += 1) detector.take(`line ${i}`);
    expect(detector.needsAll).toBe(false);
    expect(detector.take('ValueError: later')).not.toHaveProperty('place');
  });

  it('goes on from its state', () => {
    const before = new SignalDetector(() => BUILT_IN_SIGNALS);
    for (const line of own) before.take(line);
    const after = new SignalDetector(() => BUILT_IN_SIGNALS, before.state);
    expect(after.take('KeyError: 3')).toMatchObject({ message: 'KeyError: 3', place: 'train.py:17' });
    expect(after.state).toBeUndefined();
  });
});
