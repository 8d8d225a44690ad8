import { BUILT_IN_SIGNALS } from './built-in-patterns.js';
import { explainPrinted } from './testing/explain-printed.js';
import { SignalDetector } from './signal-detector.js';

/** The last words of programs, as they print them, and what a person would say of them. */
const DEATHS: ReadonlyArray<readonly [program: string, printed: string, exitCode: number, reason: string]> = [
  ['R top', "Error: object 'x' not found\nExecution halted", 1, "exit code 1: Error: object 'x' not found"],
  [
    'R vector',
    'Error: cannot allocate vector of size 7.5 Gb\nExecution halted',
    1,
    'exit code 1: Error: cannot allocate vector of size 7.5 Gb',
  ],
  [
    'R rlang',
    "Error in `mutate()`:\nℹ In argument: `z = foo`.\nCaused by error:\n! object 'foo' not found\nBacktrace:\nExecution halted",
    1,
    "exit code 1: Error in `mutate()`: object 'foo' not found",
  ],
  [
    'R parse',
    'Error: unexpected symbol in "a b"\nExecution halted',
    1,
    'exit code 1: Error: unexpected symbol in "a b"',
  ],
  [
    'R file',
    'Error in file(file, "rt") : cannot open the connection\nCalls: read.table -> file\nIn addition: Warning message:\nIn file(file, "rt") :\n  cannot open file \'x (1).csv\': No such file or directory\nExecution halted',
    1,
    'exit code 1: Error in file(file, "rt") : cannot open the connection',
  ],
  [
    'argparse custom',
    'usage: train.py [-h] [--a A]\ntrain.py: error: --resume needs --checkpoint',
    2,
    'exit code 2: train.py: error: --resume needs --checkpoint',
  ],
  [
    'argparse main',
    'usage: __main__.py [-h]\n__main__.py: error: You must give a data set',
    2,
    'exit code 2: __main__.py: error: You must give a data set',
  ],
  [
    'argparse torchrun',
    'usage: torchrun [-h]\ntorchrun: error: the following arguments are required: training_script, training_script_args\nsrun: error: n1: task 0: Exited with exit code 2',
    2,
    'exit code 2: torchrun: error: the following arguments are required: training_script, training_script_args',
  ],
  [
    'click extra',
    "Usage: t [OPTIONS]\nTry 't --help' for help.\n\nError: Got unexpected extra argument (foo)",
    2,
    'exit code 2: Error: Got unexpected extra argument (foo)',
  ],
  [
    'click cmd',
    "Usage: t [OPTIONS]\n\nError: No such command 'trian'.",
    2,
    "exit code 2: Error: No such command 'trian'.",
  ],
  [
    'click value',
    "Usage: t [OPTIONS]\n\nError: Option '--lr' requires an argument.",
    2,
    "exit code 2: Error: Option '--lr' requires an argument.",
  ],
  [
    'absl',
    "FATAL Flags parsing error: Unknown command line flag 'lrr'. Did you mean: lr ?\nPass --helpshort or --helpfull to see help on flags.",
    1,
    "exit code 1: FATAL Flags parsing error: Unknown command line flag 'lrr'. Did you mean: lr ?",
  ],
  [
    'hydra',
    "Could not override 'lr'.\nTo append to your config use +lr=1\nKey 'lr' is not in struct",
    1,
    "exit code 1: Could not override 'lr'.",
  ],
  ['getopt', "sort: unrecognized option '--foo'", 1, "exit code 1: sort: unrecognized option '--foo'"],
  [
    'getopt2',
    "foo: invalid option -- 'z'\nTry 'foo --help' for more information.",
    1,
    "exit code 1: foo: invalid option -- 'z'",
  ],
  [
    'snake missing',
    'Building DAG of jobs...\nMissingInputException in rule all in file /w/Snakefile, line 3:\nMissing input files for rule all:\n    affected files:\n        out/a.txt',
    1,
    'exit code 1: MissingInputException in rule all in file /w/Snakefile, line 3: Missing input files for rule all:',
  ],
  [
    'snake workflow',
    'WorkflowError:\nFailed to open source file /w/x.smk',
    1,
    'exit code 1: WorkflowError: Failed to open source file /w/x.smk',
  ],
  [
    'snake lock',
    'Error: Directory cannot be locked. Please make sure that no other Snakemake process is trying to create the same files',
    1,
    'exit code 1: Error: Directory cannot be locked. Please make sure that no other Snakemake process is trying to create the same files',
  ],
  [
    'snake rule',
    "Error in rule align:\n    jobid: 3\n    output: a.bam\nRuleException:\nCalledProcessError in line 5 of /w/Snakefile:\nCommand 'bwa mem' returned non-zero exit status 1.\nExiting because a job execution failed. Look above for error message",
    1,
    "exit code 1: CalledProcessError in line 5 of /w/Snakefile: Command 'bwa mem' returned non-zero exit status 1.",
  ],
  [
    'snake missout',
    'MissingOutputException in rule x in line 3 of /w/Snakefile:\nJob Missing files after 5 seconds\nExiting because a job execution failed. Look above for error message',
    1,
    'exit code 1: MissingOutputException in rule x in line 3 of /w/Snakefile: Job Missing files after 5 seconds',
  ],
  [
    'snake name',
    "NameError in line 5 of /w/Snakefile:\nname 'foo' is not defined",
    1,
    "exit code 1: NameError in line 5 of /w/Snakefile: name 'foo' is not defined",
  ],
  [
    'gfortran fpe',
    'Program received signal SIGFPE: Floating-point exception - erroneous arithmetic operation.\n\nBacktrace for this error:',
    136,
    'killed by SIGFPE: Program received signal SIGFPE: Floating-point exception - erroneous arithmetic operation.',
  ],
  [
    'gfortran bus',
    'Program received signal SIGBUS: Access to an undefined portion of a memory object.',
    135,
    'killed by SIGBUS: Program received signal SIGBUS: Access to an undefined portion of a memory object.',
  ],
  [
    'gfortran ill',
    'Program received signal SIGILL: Illegal instruction.',
    132,
    'killed by SIGILL: Program received signal SIGILL: Illegal instruction.',
  ],
  [
    'fortran errorstop',
    'ERROR STOP the matrix is singular\n\nError termination. Backtrace:',
    1,
    'exit code 1: ERROR STOP the matrix is singular',
  ],
  [
    'fortran flang',
    'fatal Fortran runtime error(/w/a-(b).f90:3): End of file',
    1,
    'exit code 1: Fortran runtime error(/w/a-(b).f90:3): End of file',
  ],
  [
    'nvfortran',
    "PGFIO-F-209/OPEN/unit=10/'OLD' specified for file which does not exist.\n File name = foo (1).dat\n In source file a.f90, at line number 3",
    127,
    "exit code 127: PGFIO-F-209/OPEN/unit=10/'OLD' specified for file which does not exist.",
  ],
  [
    'nvfortran2',
    'FIO-F-217/list-directed read/unit=5/attempt to read past end of file.\n File name = stdin',
    127,
    'exit code 127: FIO-F-217/list-directed read/unit=5/attempt to read past end of file.',
  ],
  [
    'cray fortran',
    'lib-4081 : UNRECOVERABLE library error\n  A READ operation tried to read past the end-of-file.',
    1,
    'exit code 1: lib-4081 : UNRECOVERABLE library error: A READ operation tried to read past the end-of-file.',
  ],
  [
    'nag fortran',
    'Runtime Error: a.f90, line 3: Subscript 1 of A (value 11) is out of range (1:10)\nProgram terminated by fatal error',
    1,
    'exit code 1: Runtime Error: a.f90, line 3: Subscript 1 of A (value 11) is out of range (1:10)',
  ],
  [
    'matlab load',
    "Error using load\nUnable to read file 'data (1).mat'. No such file or directory.\n\nError in run (line 3)\nload data",
    1,
    "exit code 1: Error using load: Unable to read file 'data (1).mat'. No such file or directory.",
  ],
  [
    'matlab unrec',
    "Unrecognized function or variable 'foo'.\n\nError in run (line 12)",
    1,
    "exit code 1: Unrecognized function or variable 'foo'.",
  ],
  [
    'matlab index',
    'Index exceeds the number of array elements. Index must not exceed 3.\n\nError in run (line 12)',
    1,
    'exit code 1: Index exceeds the number of array elements. Index must not exceed 3.',
  ],
  [
    'matlab times',
    'Error using  * \nIncorrect dimensions for matrix multiplication. Check that the number of columns\n\nError in run (line 12)',
    1,
    'exit code 1: Incorrect dimensions for matrix multiplication. Check that the number of columns',
  ],
  [
    'matlab parse',
    'Error: File: run.m Line: 3 Column: 5\nInvalid expression. Check for missing multiplication operator',
    1,
    'exit code 1: Error: File: run.m Line: 3 Column: 5: Invalid expression. Check for missing multiplication operator',
  ],
  [
    'matlab mem',
    'Out of memory. Type "help memory" for your options.',
    1,
    'exit code 1: Out of memory. Type "help memory" for your options.',
  ],
  [
    'matlab batch',
    'ERROR: MATLAB error Exit Status: 0x00000001',
    1,
    'exit code 1: ERROR: MATLAB error Exit Status: 0x00000001',
  ],
  [
    'matlab lic',
    'License checkout failed.\nLicense Manager Error -15\nUnable to connect to the license server.\nCheck that the network license manager has been started',
    1,
    'exit code 1: Unable to connect to the license server.',
  ],
  [
    'comsol lic',
    '/******************/\nLicense error: -5.\nNo such feature exists.',
    1,
    'exit code 1: License error: -5. No such feature exists.',
  ],
  [
    'ansys lic',
    'ANSYS LICENSE MANAGER ERROR:\nCould not connect to any license server.',
    1,
    'exit code 1: ANSYS LICENSE MANAGER ERROR: Could not connect to any license server.',
  ],
  [
    'abaqus err',
    'Abaqus Error: Analysis Input File Processor exited with an error - Please see the  job.dat file for possible error messages if the file exists.\nAbaqus/Analysis exited with errors',
    1,
    'exit code 1: Abaqus Error: Analysis Input File Processor exited with an error - Please see the  job.dat file for possible error messages if the file exists.',
  ],
  [
    'starccm lic',
    'Licensed number of users already reached.',
    1,
    'exit code 1: Licensed number of users already reached.',
  ],
  [
    'mpi trunc',
    '[n1:123] *** An error occurred in MPI_Recv\n[n1:123] *** reported by process [1,0]\n[n1:123] *** on communicator MPI_COMM_WORLD\n[n1:123] *** MPI_ERR_TRUNCATE: message truncated\n[n1:123] *** MPI_ERRORS_ARE_FATAL (processes in this communicator will now abort,\n[n1:123] ***    and potentially your MPI job)',
    15,
    'exit code 15: MPI_ERR_TRUNCATE: message truncated',
  ],
  [
    'mpi slots',
    '--------------------------------------------------------------------------\nThere are not enough slots available in the system to satisfy the 4\nslots that were requested by the application:',
    1,
    'exit code 1: There are not enough slots available in the system to satisfy the 4 slots that were requested by the application:',
  ],
  [
    'mpi exe',
    '--------------------------------------------------------------------------\nmpirun was unable to find the specified executable file, and therefore\ndid not launch the job.',
    1,
    'exit code 1: mpirun was unable to find the specified executable file, and therefore did not launch the job.',
  ],
  [
    'mpi intel',
    'Abort(1090831) on node 0 (rank 0 in comm 0): Fatal error in PMPI_Recv: Message truncated, error stack:\nPMPI_Recv(171): MPI_Recv(buf=0x7ffe) failed',
    15,
    'exit code 15: Fatal error in PMPI_Recv: Message truncated, error stack:',
  ],
  [
    'mpi init',
    'It looks like MPI_INIT failed for some reason; your parallel process is\nlikely to abort.',
    1,
    'exit code 1: It looks like MPI_INIT failed for some reason; your parallel process is likely to abort.',
  ],
  [
    'mpi fatal2',
    '[n7:99] pml_ucx.c:176  Error: Failed to receive UCX worker address: Not found (-13)\n[n7:99] pml_ucx.c:424 FATAL',
    1,
    'exit code 1: pml_ucx.c:424 FATAL',
  ],
  [
    'dash nf',
    '/var/spool/slurmd/job5/slurm_script: 3: module: not found',
    127,
    'exit code 127: /var/spool/slurmd/job5/slurm_script: 3: module: not found',
  ],
  [
    'dash syntax',
    '/var/spool/slurmd/job5/slurm_script: 3: Syntax error: "(" unexpected',
    2,
    'exit code 2: /var/spool/slurmd/job5/slurm_script: 3: Syntax error: "(" unexpected',
  ],
  ['dash bad', 'a.sh: 9: Bad substitution', 2, 'exit code 2: a.sh: 9: Bad substitution'],
  ['dash cd', "a.sh: 3: cd: can't cd to /w/a (b)", 2, "exit code 2: a.sh: 3: cd: can't cd to /w/a (b)"],
  [
    'dash create',
    'a.sh: 3: cannot create /w/a/b: Directory nonexistent',
    2,
    'exit code 2: a.sh: 3: cannot create /w/a/b: Directory nonexistent',
  ],
  [
    'bash syntax',
    "/var/spool/slurmd/job5/slurm_script: line 3: syntax error near unexpected token `)'\n/var/spool/slurmd/job5/slurm_script: line 3: `foo )'",
    2,
    "exit code 2: /var/spool/slurmd/job5/slurm_script: line 3: syntax error near unexpected token `)'",
  ],
  ['bash unbound', 'a.sh: line 4: DATA: unbound variable', 1, 'exit code 1: a.sh: line 4: DATA: unbound variable'],
  [
    'bash exec',
    'a.sh: line 7: /w/a.out: cannot execute binary file: Exec format error',
    126,
    'exit code 126: a.sh: line 7: /w/a.out: cannot execute binary file: Exec format error',
  ],
  [
    'gatk user',
    "org.broadinstitute.hellbender.exceptions.UserException$CouldNotReadInputFile: Couldn't read file",
    2,
    "exit code 2: UserException$CouldNotReadInputFile: Couldn't read file",
  ],
  [
    'gatk3',
    '##### ERROR ------------------------------------------------------------------------------------------\n##### ERROR A USER ERROR has occurred (version 3.8): \n##### ERROR\n##### ERROR MESSAGE: SAM/BAM file a.bam is malformed: read ends with deletion\n##### ERROR ------------------------------------------------------------------------------------------',
    1,
    'exit code 1: SAM/BAM file a.bam is malformed: read ends with deletion',
  ],
  ['bwa cmd', "[main] unrecognized command 'mme'", 1, "exit code 1: [main] unrecognized command 'mme'"],
  [
    'bwa names',
    '[mem_sam_pe] paired reads have different names: "a.1", "b.1"',
    1,
    'exit code 1: [mem_sam_pe] paired reads have different names: "a.1", "b.1"',
  ],
  [
    'samtools',
    'samtools sort: failed to read header from "-"',
    1,
    'exit code 1: samtools sort: failed to read header from "-"',
  ],
  [
    'samtools trunc',
    '[W::bam_hdr_read] EOF marker is absent. The input is probably truncated\nsamtools index: "a.bam" is in a format that cannot be usefully indexed',
    1,
    'exit code 1: samtools index: "a.bam" is in a format that cannot be usefully indexed',
  ],
  [
    'star par',
    'EXITING because of fatal PARAMETERS error: present --sjdbOverhang=100 is not equal to the value at the genome generation step =49\nSOLUTION: ',
    102,
    'exit code 102: EXITING because of fatal PARAMETERS error: present --sjdbOverhang=100 is not equal to the value at the genome generation step =49',
  ],
  [
    'star input',
    'EXITING because of fatal input ERROR: could not open readFilesIn=a_1.fq',
    104,
    'exit code 104: EXITING because of fatal input ERROR: could not open readFilesIn=a_1.fq',
  ],
  [
    'star gtf',
    'Fatal INPUT FILE error, no valid exon lines in the GTF file: a.gtf',
    104,
    'exit code 104: Fatal INPUT FILE error, no valid exon lines in the GTF file: a.gtf',
  ],
  [
    'star out',
    'BAMoutput.cpp:27:BAMoutput: exiting because of *OUTPUT FILE* error: could not create output file ./_STARtmp//BAMsort/19/48\nSOLUTION: check that the path exists and you have write permission for this file.',
    1,
    'exit code 1: exiting because of *OUTPUT FILE* error: could not create output file ./_STARtmp//BAMsort/19/48',
  ],
  [
    'singularity old',
    "ERROR  : Image path doesn't exist: a.simg\nABORT  : Retval = 255",
    255,
    "exit code 255: Image path doesn't exist: a.simg",
  ],
  [
    'docker',
    'docker: Error response from daemon: could not select device driver "" with capabilities: [[gpu]].\nSee \'docker run --help\'.',
    125,
    'exit code 125: docker: Error response from daemon: could not select device driver "" with capabilities: [[gpu]].',
  ],
  [
    'go dead',
    'fatal error: all goroutines are asleep - deadlock!\n\ngoroutine 1 [chan receive]:',
    2,
    'exit code 2: fatal error: all goroutines are asleep - deadlock!',
  ],
  ['go map', 'fatal error: concurrent map writes', 2, 'exit code 2: fatal error: concurrent map writes'],
  [
    'go log',
    '2024/01/02 03:04:05 open data (1).csv: no such file or directory\nexit status 1',
    1,
    'exit code 1: 2024/01/02 03:04:05 open data (1).csv: no such file or directory',
  ],
  ['go flag', 'flag provided but not defined: -x\nUsage of ./a:', 2, 'exit code 2: flag provided but not defined: -x'],
  [
    'perl stdin',
    'Illegal division by zero at ./a-(b).pl line 7, <STDIN> line 3.',
    255,
    'exit code 255: Illegal division by zero at ./a-(b).pl line 7, <STDIN> line 3.',
  ],
  [
    'perl locate',
    "Can't locate Foo.pm in @INC (you may need to install the Foo module) (@INC contains: /etc/perl) at a.pl line 3.\nBEGIN failed--compilation aborted at a.pl line 3.",
    2,
    "exit code 2: Can't locate Foo.pm in @INC (you may need to install the Foo module) (@INC contains: /etc/perl) at a.pl line 3.",
  ],
  [
    'perl strict',
    'Global symbol "$x" requires explicit package name (did you forget to declare "my $x"?) at a.pl line 3.\nExecution of a.pl aborted due to compilation errors.',
    255,
    'exit code 255: Global symbol "$x" requires explicit package name (did you forget to declare "my $x"?) at a.pl line 3.',
  ],
  ['perl noext', 'Died at /usr/local/bin/foo line 7.', 255, 'exit code 255: Died at /usr/local/bin/foo line 7.'],
  [
    'qe old',
    ' %%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%\n     from  readpp  : error #         2\n      pseudo file a.upf not found\n %%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%\n     stopping ...',
    1,
    'exit code 1: from readpp : error # 2: pseudo file a.upf not found',
  ],
  [
    'qe task',
    ' %%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%\n     task #         0\n     from readpp : error #         1\n     file /w/C.UPF not found\n %%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%',
    1,
    'exit code 1: from readpp : error # 1: file /w/C.UPF not found',
  ],
  [
    'cp2k cpassert',
    ' *   ___                                                                       *\n *  /   \\                                                                      *\n * [ABORT]                                                                     *\n *  \\___/     CPASSERT failed                                                  *\n *    |                                                                        *\n *  O/|                                                                        *\n * /| |                                                                        *\n * / \\                                               qs_environment.F:611      *',
    1,
    'exit code 1: CPASSERT failed',
  ],
  [
    'cp2k two',
    ' * [ABORT]                                                                     *\n *  \\___/       The specified basis set <DZVP-A(1)> could not be found in any  *\n *    |         of the basis set files                                         *',
    1,
    'exit code 1: The specified basis set <DZVP-A(1)> could not be found in any',
  ],
  [
    'vasp box',
    ' -----------------------------------------------------------------------------\n|                                                                             |\n|     EEEEEEE  RRRRRR   RRRRRR   OOOOOOO  RRRRRR      ###     ###     ###     |\n|     E        R    R   R    R   O     O  R    R      ###     ###     ###     |\n|     EEEEEEE  R     R  R     R  OOOOOOO  R     R     ###     ###     ###     |\n|                                                                             |\n|     The linear tetrahedron method can not be used with the KPOINTS file     |\n|     (generation of strings of k-points).  |\n|       ---->  I REFUSE TO CONTINUE WITH THIS SICK JOB ... BYE!!! <----       |',
    1,
    'exit code 1: The linear tetrahedron method can not be used with the KPOINTS file',
  ],
  [
    'vasp incar',
    " Error reading item 'ENCUT' from file INCAR.",
    1,
    "exit code 1: Error reading item 'ENCUT' from file INCAR.",
  ],
  [
    'vasp posmap',
    ' POSMAP internal error: symmetry equivalent atom not found,',
    1,
    'exit code 1: POSMAP internal error: symmetry equivalent atom not found,',
  ],
  [
    'vasp brmix',
    ' BRMIX: very serious problems\n the old and the new charge density differ',
    1,
    'exit code 1: BRMIX: very serious problems',
  ],
  [
    'vasp real',
    ' REAL_OPTLAY: internal error (1)          -1',
    1,
    'exit code 1: REAL_OPTLAY: internal error (1)          -1',
  ],
  [
    'vasp edwav',
    ' EDWAV: internal error, the gradient is not orthogonal           1           3',
    1,
    'exit code 1: EDWAV: internal error, the gradient is not orthogonal           1           3',
  ],
  [
    'vasp fexcp',
    ' ERROR FEXCP: supplied Exchange-correletion table',
    1,
    'exit code 1: ERROR FEXCP: supplied Exchange-correletion table',
  ],
  [
    'vasp potcar',
    ' ERROR: number of potentials on File POTCAR incompatible with number',
    1,
    'exit code 1: ERROR: number of potentials on File POTCAR incompatible with number',
  ],
  ['gaussian mem', ' galloc:  could not allocate memory.', 1, 'exit code 1: galloc:  could not allocate memory.'],
  [
    'gaussian syntax',
    ' QPErr --- A syntax error was detected in the input line.\n # opt b3lyp/6-31g(x)\n           \'\n Last state= "GCL"\n Error termination via Lnk1e in /g16/l1.exe at Mon',
    1,
    'exit code 1: QPErr --- A syntax error was detected in the input line.',
  ],
  [
    'gaussian mult',
    ' The combination of multiplicity 1 and     7 electrons is impossible.\n Error termination via Lnk1e in /g16/l301.exe at Mon',
    1,
    'exit code 1: The combination of multiplicity 1 and     7 electrons is impossible.',
  ],
  [
    'gaussian form',
    ' FormBX had a problem.\n Error termination via Lnk1e in /g16/l103.exe at Mon',
    1,
    'exit code 1: FormBX had a problem.',
  ],
  [
    'gaussian steps',
    ' Optimization stopped.\n    -- Number of steps exceeded,  NStep= 100\n Error termination request processed by link 9999.\n Error termination via Lnk1e in /g16/l9999.exe at Mon',
    1,
    'exit code 1: -- Number of steps exceeded,  NStep= 100',
  ],
  [
    'gaussian write',
    ' Erroneous write. Write -1 instead of 4096.\n fd = 4',
    1,
    'exit code 1: Erroneous write. Write -1 instead of 4096.',
  ],
  [
    'gaussian eof',
    ' End of file in ZSymb.\n Error termination via Lnk1e in /g16/l101.exe at Mon',
    1,
    'exit code 1: End of file in ZSymb.',
  ],
  [
    'gaussian oom',
    ' Out-of-memory error in routine RdGeom-1 (IEnd= 100 MxCore= 50)\n Use %mem=1MW to provide the minimum amount of memory required to complete this step.\n Error termination via Lnk1e at Mon',
    1,
    'exit code 1: Out-of-memory error in routine RdGeom-1 (IEnd= 100 MxCore= 50)',
  ],
  [
    'gamess mem',
    ' ***** ERROR: MEMORY REQUEST EXCEEDS AVAILABLE MEMORY\n PROCESS NO.     0 WORDS REQUIRED=  100 AVAILABLE=  50\n EXECUTION OF GAMESS TERMINATED -ABNORMALLY- AT Mon',
    1,
    'exit code 1: ERROR: MEMORY REQUEST EXCEEDS AVAILABLE MEMORY',
  ],
  [
    'gamess ddi',
    ' ddikick.x: application process 0 quit unexpectedly.\n ddikick.x: Fatal error detected.',
    1,
    'exit code 1: ddikick.x: application process 0 quit unexpectedly.',
  ],
  [
    'gamess kw',
    ' **** ERROR READING INPUT GROUP $CONTRL (check for typos\n EXECUTION OF GAMESS TERMINATED -ABNORMALLY- AT Mon',
    1,
    'exit code 1: ERROR READING INPUT GROUP $CONTRL (check for typos',
  ],
  [
    'gamess star',
    ' *** ERROR! CHECK YOUR INPUT CHARGE AND MULTIPLICITY ***\n EXECUTION OF GAMESS TERMINATED -ABNORMALLY- AT Mon',
    1,
    'exit code 1: ERROR! CHECK YOUR INPUT CHARGE AND MULTIPLICITY',
  ],
  [
    'orca mult',
    'Error : multiplicity (1) is odd and number of electrons (7) is odd -> impossible\n[file orca_main/mainchk.cpp, line 130]: \n    .... aborting the run',
    1,
    'exit code 1: Error : multiplicity (1) is odd and number of electrons (7) is odd -> impossible',
  ],
  [
    'orca input',
    '                                 INPUT ERROR\nUNRECOGNIZED OR DUPLICATED KEYWORD(S) IN SIMPLE INPUT LINE\n  B3LYPX',
    1,
    'exit code 1: INPUT ERROR: UNRECOGNIZED OR DUPLICATED KEYWORD(S) IN SIMPLE INPUT LINE',
  ],
  [
    'orca opt',
    '----------------------------------------------------------------------------\n                               ERROR !!!\n       The optimization did not converge but reached the maximum number of\n       optimization cycles.\n       Please check your results very carefully.\n----------------------------------------------------------------------------',
    1,
    'exit code 1: ERROR: The optimization did not converge but reached the maximum number of',
  ],
  [
    'orca scf',
    '              * This wavefunction IS NOT CONVERGED!   *\nORCA finished by error termination in SCF\nCalling Command: mpirun -np 4 orca_scf_mpi a.gbw b\n[file orca_tools/qcmsg.cpp, line 465]:\n  .... aborting the run',
    1,
    'exit code 1: This wavefunction IS NOT CONVERGED!',
  ],
  [
    'nwchem',
    ' ------------------------------------------------------------------------\n scf_init: bad spin            0\n ------------------------------------------------------------------------\n ------------------------------------------------------------------------\n  current input line : \n    10: task scf energy\n ------------------------------------------------------------------------\n ------------------------------------------------------------------------\n This type of error is most commonly associated with calculations not reaching convergence criteria\n ------------------------------------------------------------------------\n For more information see the NWChem manual at http://www.nwchem-sw.org\n\n0:0:scf_init: bad spin:: 0\n(rank:0 hostname:n1 pid:12):ARMCI DASSERT fail. ../../ga-5.8/armci/src/common/armci.c:ARMCI_Error():208 cond:0',
    1,
    'exit code 1: scf_init: bad spin',
  ],
  [
    'nwchem2',
    '[0] Received an Error in Communication: (0) 0: : dft optimize failed: 0',
    1,
    'exit code 1: dft optimize failed: 0',
  ],
  ['nwchem conv', '0:0:driver_energy_step: energy failed:: 0', 1, 'exit code 1: driver_energy_step: energy failed'],
  ['exc noTB', 'ValueError: bad shape (3,) vs (4,)', 1, 'exit code 1: ValueError: bad shape (3,) vs (4,)'],
  [
    'exc rt',
    'RuntimeError: CUDA driver version is insufficient',
    1,
    'exit code 1: RuntimeError: CUDA driver version is insufficient',
  ],
  [
    'exc js',
    "TypeError: Cannot read properties of undefined (reading 'x')\n    at Object.<anonymous> (/w/a.js:3:5)",
    1,
    "exit code 1: TypeError: Cannot read properties of undefined (reading 'x')",
  ],
  [
    'exc node',
    "node:internal/modules/cjs/loader:1080\n  throw err;\n  ^\n\nError: Cannot find module '/w/x.js'\n    at Module._resolveFilename (node:internal)",
    1,
    "exit code 1: Error: Cannot find module '/w/x.js'",
  ],
  [
    'julia undef',
    'ERROR: UndefVarError: `x` not defined\nStacktrace:',
    1,
    'exit code 1: ERROR: UndefVarError: `x` not defined',
  ],
  [
    'ruby',
    "a.rb:3:in `foo': undefined local variable or method `x' for main:Object (NameError)",
    1,
    "exit code 1: a.rb:3:in `foo': undefined local variable or method `x' for main:Object (NameError)",
  ],
  [
    'ill mpirun',
    'mpirun noticed that process rank 0 with PID 12 on node n1 exited on signal 4 (Illegal instruction).',
    132,
    'killed by SIGILL: mpirun noticed that process rank 0 with PID 12 on node n1 exited on signal 4 (Illegal instruction).',
  ],
  [
    'bus mpirun',
    'mpirun noticed that process rank 0 with PID 12 on node n1 exited on signal 7 (Bus error).',
    135,
    'killed by SIGBUS: mpirun noticed that process rank 0 with PID 12 on node n1 exited on signal 7 (Bus error).',
  ],
  [
    'cmake',
    'CMake Error at CMakeLists.txt:3 (find_package):\n  Could not find a package configuration file provided by "Foo"',
    1,
    'exit code 1: CMake Error at CMakeLists.txt:3 (find_package): Could not find a package configuration file provided by "Foo"',
  ],
  [
    'nextflow',
    "ERROR ~ Error executing process > 'ALIGN (1)'\n\nCaused by:\n  Process `ALIGN (1)` terminated with an error exit status (1)",
    1,
    'exit code 1: Process `ALIGN (1)` terminated with an error exit status (1)',
  ],
  [
    'cpp asan',
    '==123==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602',
    1,
    'exit code 1: ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602',
  ],
  [
    'symbol',
    './a.out: symbol lookup error: ./a.out: undefined symbol: foo_',
    127,
    'exit code 127: ./a.out: symbol lookup error: ./a.out: undefined symbol: foo_',
  ],
  [
    'glibc',
    "./a.out: /lib64/libc.so.6: version `GLIBC_2.34' not found (required by ./a.out)",
    1,
    "exit code 1: ./a.out: /lib64/libc.so.6: version `GLIBC_2.34' not found (required by ./a.out)",
  ],
];

/** Lines that a program may print and go on. */
const SURVIVED = [
  'Use of uninitialized value $x in addition (+) at a-(b).pl line 3.',
  'Error: retrying in 3 s',
  'ERROR: could not load the plug-in "a (b)", going on without',
  'ValueError: bad shape, row left out',
  'run.sh: line 7: [: too many arguments',
  "sort: invalid option -- 'z'",
  ' BRMIX: very serious problems',
];

/** Numbers and words that are no errors. */
const HARMLESS = [
  'Error: 0.25',
  'error: 3.2e-5',
  'ERROR: 0',
  'val_error: 0.1',
  'a.py: errors: 0',
  'EXITING normally',
  'the option -x is not set',
  'line 3: value not found in cache, computing',
  'internal error correction is on',
  '3::0 1:: 7',
  'checked out the licence, no license error',
];

it.each(DEATHS)('says why %s ended', (_program, printed, exitCode, reason) => {
  expect(explainPrinted(printed, { state: 'FAILED', exitCode })).toBe(reason);
});

it.each(SURVIVED)('says nothing of %j in a job that went well', (line) => {
  expect(explainPrinted(line, { state: 'COMPLETED', exitCode: 0 })).toBeUndefined();
});

it.each(HARMLESS)('finds nothing in %j', (line) => {
  expect(new SignalDetector(() => BUILT_IN_SIGNALS).take(line)).toBeUndefined();
});

it.each([
  ['right before', 0, 'exit code 2: a-b.x: error: no "data (1)"'],
  ['minutes before', 300, 'exit code 2: srun: error: n1: task 0: Exited with exit code 2'],
])('takes an error of a program %s its launcher tells of its end', (_when, seconds, reason) => {
  const printed = ['a-b.x: error: no "data (1)"', ...Array.from({ length: seconds }, () => '')];
  const launcher = 'srun: error: n1: task 0: Exited with exit code 2';
  expect(explainPrinted([...printed, launcher].join('\n'), { state: 'FAILED', exitCode: 2 })).toBe(reason);
});
