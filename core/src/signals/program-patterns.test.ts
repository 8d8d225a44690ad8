import { BUILT_IN_SIGNALS } from './built-in-patterns.js';
import { SignalDetector } from './signal-detector.js';
import { explainPrinted } from './testing/explain-printed.js';

const SCRIPT = '/var/spool/slurmd/job7/slurm_script';

const REASONS: ReadonlyArray<readonly [program: string, printed: string, exitCode: number, reason: string]> = [
  [
    'R',
    "Error in f(x, y) : object 'z' not found\nCalls: f -> g\nExecution halted",
    1,
    "Error in f(x, y) : object 'z' not found",
  ],
  [
    'argparse',
    'usage: a (b).py [-h]\na.py: error: unrecognized arguments: --lr',
    2,
    'a.py: error: unrecognized arguments: --lr',
  ],
  ['click', 'Usage: t [OPTIONS]\n\nError: No such option: --lr', 2, 'Error: No such option: --lr'],
  [
    'Snakemake',
    'Exiting because a job execution failed. Look above for error message',
    1,
    'Exiting because a job execution failed. Look above for error message',
  ],
  ['gfortran', 'At line 3 of file a.f90\nFortran runtime error: End of file', 2, 'Fortran runtime error: End of file'],
  [
    'Intel Fortran',
    'forrtl: severe (29): file not found, unit 10, file /w/a b.nml',
    29,
    'forrtl: severe (29): file not found, unit 10, file /w/a b.nml',
  ],
  [
    'MATLAB',
    "Undefined function or variable 'foo'.\n\nError in run (line 12)\n    y = foo(x);",
    1,
    "Undefined function or variable 'foo'.",
  ],
  [
    "MATLAB's licence",
    'License checkout failed.\nLicense Manager Error -4\nMaximum number of users for MATLAB reached.',
    1,
    'Maximum number of users for MATLAB reached.',
  ],
  [
    'Abaqus',
    'ABAQUS ERROR: Abaqus license manager checkout request failed.',
    1,
    'ABAQUS ERROR: Abaqus license manager checkout request failed.',
  ],
  [
    'Gurobi',
    'gurobipy.GurobiError: No Gurobi license found (user u, host h)',
    1,
    'gurobipy.GurobiError: No Gurobi license found (user u, host h)',
  ],
  ['Open MPI', '[n2:197] pml_ob1_sendreq.c:308 FATAL', 1, 'pml_ob1_sendreq.c:308 FATAL'],
  ['dash', `${SCRIPT}: 8: .: Can't open /w/home -(1)`, 2, `${SCRIPT}: 8: .: Can't open /w/home -(1)`],
  [
    'GATK',
    '***\n\nA USER ERROR has occurred: Fasta file r.fa does not exist.\n\n***',
    2,
    'Fasta file r.fa does not exist.',
  ],
  [
    'bwa',
    '[M::main] Version: 0.7.17\n[E::bwa_idx_load_from_disk] fail to locate the index files',
    1,
    'fail to locate the index files',
  ],
  [
    'STAR',
    'EXITING because of FATAL ERROR: could not open genome file',
    102,
    'EXITING because of FATAL ERROR: could not open genome file',
  ],
  ['Apptainer', 'FATAL:   could not open image /w/a.sif', 255, 'could not open image /w/a.sif'],
  [
    'Go',
    'panic: runtime error: index out of range [5] with length 3\n\ngoroutine 1 [running]:',
    2,
    'panic: runtime error: index out of range [5] with length 3',
  ],
  [
    'Perl',
    "Can't locate A/B.pm in @INC (you may need to install A::B)",
    2,
    "Can't locate A/B.pm in @INC (you may need to install A::B)",
  ],
  ['Perl that dies', 'no input at ./a-(b).pl line 7.', 255, 'no input at ./a-(b).pl line 7.'],
  [
    'Quantum ESPRESSO',
    '%%%\n     Error in routine c_bands (1):\n     too many bands are not converged\n%%%',
    1,
    'Error in routine c_bands (1): too many bands are not converged',
  ],
  [
    'VASP',
    '|     Error EDDDAV: Call to ZHEGV failed. Returncode =  17 1  8          |',
    1,
    'Error EDDDAV: Call to ZHEGV failed. Returncode =  17 1  8',
  ],
  ['CP2K', ' *  \\___/          SCF run NOT converged.                  *', 1, 'SCF run NOT converged.'],
  [
    'GAMESS',
    ' SCF IS UNCONVERGED, TOO MANY ITERATIONS\n EXECUTION OF GAMESS TERMINATED -ABNORMALLY- AT noon',
    1,
    'SCF IS UNCONVERGED, TOO MANY ITERATIONS',
  ],
  [
    'Gaussian',
    ' Convergence failure -- run terminated.\n Error termination via Lnk1e in /g16/l502.exe',
    1,
    'Convergence failure -- run terminated.',
  ],
  ['ORCA', 'ORCA finished by error termination in SCF', 1, 'ORCA finished by error termination in SCF'],
  ['NWChem', '[0] Received an Error in Communication: (-1) 0:0: scf: failed', 1, 'scf: failed'],
  ['WRF', 'FATAL CALLED FROM FILE:  <stdin>  LINE:     841', 1, 'FATAL CALLED FROM FILE:  <stdin>  LINE:     841'],
  [
    'WRF with a sentence',
    '------ FATAL CALLED ------\nFATAL CALLED FROM FILE:  <stdin>  LINE:     7\n  cannot open "met (1).nc"\n-----\nbye',
    1,
    'FATAL CALLED FROM FILE:  <stdin>  LINE:     7: cannot open "met (1).nc"',
  ],
  [
    'Quantum ESPRESSO on two ranks',
    ' Error in routine a_b (3):\n Error in routine a_b (3):\n size mismatch\n size mismatch\n stopping ...',
    1,
    'Error in routine a_b (3): size mismatch',
  ],
  [
    'OpenFOAM',
    '--> FOAM FATAL ERROR: (openfoam-9)\ncannot find file "0/U (1)"\n\n    From function f()',
    1,
    'FOAM FATAL ERROR: cannot find file "0/U (1)"',
  ],
  ['GROMACS', 'Fatal error:\nNo such moleculetype A-(b)\n\nFor more information', 1, 'No such moleculetype A-(b)'],
  [
    'PETSc',
    '[0]PETSC ERROR: ------- Error Message -------\n[0]PETSC ERROR: Object is in wrong state',
    1,
    'PETSc error: Object is in wrong state',
  ],
  [
    'SU2',
    'Error in "void A::b(c)": \n------\nMarker x-1 is missing',
    1,
    'Error in "void A::b(c)": Marker x-1 is missing',
  ],
  [
    'R in two lines',
    'Error in f(x, "y z") : \n  there is no z\nExecution halted',
    1,
    'Error in f(x, "y z") : there is no z',
  ],
  [
    'Rust',
    "thread 'main' panicked at src/a-b.rs:3:5:\nindex out of bounds: 7\nnote: run with",
    101,
    "thread 'main' panicked at src/a-b.rs:3:5: index out of bounds: 7",
  ],
  [
    'gcc under make',
    'a.c:3:10: fatal error: foo.h: No such file or directory\nmake: *** [Makefile:3: a.o] Error 1',
    2,
    'a.c:3:10: fatal error: foo.h: No such file or directory',
  ],
  ['make alone', 'make[1]: *** [a.o] Error 1', 2, 'make[1]: *** [a.o] Error 1'],
  ['an exception without a traceback', 'a.b.errors.ShapeError: bad shape', 1, 'ShapeError: bad shape'],
  [
    'Ray',
    'ray.exceptions.OutOfMemoryError: Task was killed due to the node',
    1,
    'ray.exceptions.OutOfMemoryError: Task was killed due to the node',
  ],
  [
    'TensorFlow',
    'x.errors_impl.ResourceExhaustedError: OOM when allocating tensor',
    1,
    'ResourceExhaustedError: OOM when allocating tensor',
  ],
].map(
  ([program, printed, exitCode, reason]) =>
    [program, printed, Number(exitCode), `exit code ${exitCode}: ${reason}`] as [string, string, number, string]
);

const OF_SIGNALS: typeof REASONS = [
  [
    'bash',
    `${SCRIPT}: line 11: 3699 Bus error               (core dumped) Rscript a.R`,
    135,
    'killed by SIGBUS: Bus error: Rscript a.R',
  ],
  ['srun', 'srun: error: n7: task 3: Bus error (core dumped)', 135, 'killed by SIGBUS: Bus error (core dumped)'],
  [
    'bash',
    '/w/run -(1).sh: line 3: 12345 Illegal instruction     (core dumped) ./a.out',
    132,
    'killed by SIGILL: Illegal instruction: ./a.out',
  ],
  [
    'Intel Fortran, whose 174 is no signal',
    'forrtl: severe (174): SIGSEGV, segmentation fault occurred',
    174,
    'exit code 174: SIGSEGV, segmentation fault occurred',
  ],
  ['PBS, which adds 256', 'compiling', 271, 'killed by SIGTERM'],
];

/** Lines of programs that do well. */
const HARMLESS = [
  'Error in the 3rd digit: 0.1',
  'Error in position : 0.5',
  'step 3: error: 0.25',
  'WARN FATAL errors are listed below',
  'licences found: 3, license checked out',
  '[M::main] Real time: 3.1 sec',
  'FATAL: 0, ERROR: 0, WARN: 2',
  'Maximum number of users for this test: 3',
  'the engine had a bus error light on',
  'make: Nothing to be done for *** all',
  'torch.nn.Module: 3 layers',
  'Opening file a.pl line 3',
  "I can't locate the file",
  'Convergence failures: 0',
  '                 \\___/    |_|  |_| |__|  |__|  |_| \\__\\ |__|  \\__/        ',
];

it.each([...REASONS, ...OF_SIGNALS])('says why %s ended', (_program, printed, exitCode, reason) => {
  expect(explainPrinted(printed, { state: 'FAILED', exitCode })).toBe(reason);
});

it.each(HARMLESS)('finds nothing in %j', (line) => {
  const detector = new SignalDetector(() => BUILT_IN_SIGNALS);
  expect(detector.take(line)).toBeUndefined();
});
