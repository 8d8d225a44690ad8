import { joinSentence, type PatternParts, readLine, removeBox } from './pattern-parts.js';
import { EXCEPTION } from './signal-pattern.js';

/** Languages and their tools: how a program that did not begin, or that its runtime ended, says why. */
const OF_LANGUAGES: readonly PatternParts[] = [
  {
    name: 'usage-error',
    literals: [
      ...['rror: argument ', 'nrecognized arguments', 'arguments are required', 'rror: ambiguous option'],
      ...['rror: No such option', 'rror: Invalid value for', 'rror: Missing option', 'rror: Missing argument'],
    ],
    regex:
      /: error: (?:argument |unrecognized arguments: |the following arguments are required: |ambiguous option: )|^Error: (?:No such option|Invalid value for|Missing option|Missing argument)/,
    say: readLine,
  },
  {
    name: EXCEPTION,
    literals: ['Error in ', 'Undefined function', 'panic: ', '.pl line ', '.pm line '],
    regex:
      /^Error in (?!rule |routine ).{1,300}?\) : ?.*|^Undefined function (?:or variable )?'.*|^panic: .+|^\S.* at \S+\.p[lm] line \d+\.$/,
    addSentence: joinSentence,
  },
  {
    name: 'module-not-found',
    literals: ["Can't locate "],
    regex: /^Can't locate \S+ in @INC.{0,300}/,
  },
  {
    name: 'fatal-error',
    literals: ['Fortran runtime error', 'forrtl: ', ': fatal error: '],
    regex: /Fortran runtime error: .*|forrtl: (?:severe|error) \(\d+\): .*|^\S+: fatal error: .*/,
  },
  {
    name: 'task-failed',
    weight: 'symptom',
    literals: ['make: *** ', ']: *** ', 'Execution halted', 'Exiting because a job execution failed', '(line '],
    regex:
      /^g?make(?:\[\d+\])?: \*\*\* .*|^Execution halted$|Exiting because a job execution failed.*|^Error in .{1,300} \(line \d+\)$/,
  },
  {
    name: 'file-not-found',
    severity: 'warning',
    literals: [": Can't open ", ': cannot open '],
    regex: /: \d+: (?:\.: )?(?:Can't|cannot) open \S/,
    say: readLine,
  },
];

/** Programs of the sciences, each in its own words. */
const OF_SCIENCES: readonly PatternParts[] = [
  {
    name: 'licence',
    literals: [
      ...['icense checkout ', 'icense manager checkout', 'icense Manager Error', 'umber of users for '],
      'license found',
    ],
    regex:
      /License Manager Error -\d|[Ll]icense (?:manager )?checkout (?:request )?failed|Maximum number of users for .{1,300} reached|No (?:\w+ )?license found/,
    say: readLine,
  },
  {
    name: 'fatal-error',
    literals: ['USER ERROR has occurred', 'EXITING because of FATAL', 'EXITING: FATAL', 'FATAL:  ', '[E::'],
    regex: /A USER ERROR has occurred: (.+)|EXITING(?: because of|:) FATAL .+|^FATAL: {2,}(?! )(.+)|^\[E::\w+\] (.+)/,
    say: ([text, gatk, apptainer, htslib]) => gatk ?? apptainer ?? htslib ?? text,
  },
  {
    name: 'fatal-error',
    literals: [
      ...['Error in routine', 'Error EDD', 'ZBRENT: fatal', 'VERY BAD NEWS', 'LAPACK: Routine', '\\___/'],
      ...['SCF IS UNCONVERGED', 'Convergence failure', 'Error in Communication', 'FATAL CALLED FROM FILE'],
    ],
    regex:
      /(?:Error in routine \S+ \(|Error EDD|ZBRENT: fatal |VERY BAD NEWS|LAPACK: Routine \w+ failed|SCF IS UNCONVERGED|Convergence failure -- |FATAL CALLED FROM FILE).*|\\___\/ +([A-Za-z].*)|Received an Error in Communication: (.+)/,
    say: ([text, cp2k, nwchem]) => removeBox(cp2k ?? nwchem ?? text),
    addSentence: (message, sentence) =>
      message.startsWith('FATAL CALLED') ? `${message}: ${sentence}` : joinSentence(message, sentence),
  },
  {
    // GROMACS and SU2 print what happened below.
    name: 'fatal-error',
    literals: ['atal error:', ' user input:', 'nput/output error:', 'nconsistency error:', 'Error in "'],
    regex:
      /^(?:Fatal error|(?:Error|Inconsistency) in user input|File input\/output error|Software inconsistency error):$|^Error in "[^"]{1,300}": *$/,
    addSentence: (message, sentence) => (message.startsWith('Error in "') ? `${message.trim()} ${sentence}` : sentence),
  },
  {
    name: 'fatal-error',
    literals: ['PETSC ERROR: ---'],
    regex: /PETSC ERROR: -{3,} Error Message -{3,}$/,
    say: () => 'PETSc error',
    addSentence: (message, sentence) => `${message}: ${sentence.replace(/^\[\d+\]PETSC ERROR: +/, '')}`,
  },
  {
    name: 'fatal-error',
    weight: 'symptom',
    literals: [
      ...['GAMESS TERMINATED -ABNORMALLY-', 'Error termination via', 'Error termination request'],
      'finished by error termination',
    ],
    regex:
      /EXECUTION OF GAMESS TERMINATED -ABNORMALLY-.*|Error termination (?:via|request) .*|ORCA finished by error termination.*/,
  },
  {
    name: 'mpi-abort',
    weight: 'collective',
    literals: [' FATAL', 'mca_btl_'],
    regex: /\b\w+\.c:\d+ FATAL$|\bmca_btl_\w+: \w+ error.*/,
  },
];

/** An exception alone on its line. Java's frameworks print many of them as warnings. */
export const OF_EXCEPTIONS: readonly PatternParts[] = [
  {
    name: EXCEPTION,
    severity: 'warning',
    literals: ['Error: ', 'Exception: '],
    regex: /^(?:[A-Za-z_]\w*\.)+[A-Z]\w*: .+/,
    say: ([text]) => text.replace(/^(?:\w+\.)+(?=[A-Z])/, ''),
  },
];

/** Programs that say in words of their own why they end. */
export const OF_FAMILIES: readonly PatternParts[] = [...OF_LANGUAGES, ...OF_SCIENCES];
