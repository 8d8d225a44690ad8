import { joinSentence, type PatternParts, readLine, removeBox } from './pattern-parts.js';

const VASP_ERROR = 'VASP says ERROR';
/** A sentence of a message goes on in the next line, and no further. */
const MAX_LINE_OF_PROSE = 80;

/** Programs of the sciences, each in its own words. */
export const OF_SCIENCES: readonly PatternParts[] = [
  {
    name: 'licence',
    literals: [
      ...['icense checkout ', 'icense manager checkout', 'icense Manager Error', 'umber of users ', 'error: '],
      ...[
        'license found',
        'LICENSE MANAGER ERROR',
        'connect to the license server',
        'icensing error',
        'not check out ',
      ],
    ],
    regex:
      /License Manager Error -\d|[Ll]icense (?:manager )?checkout (?:request )?failed|Maximum number of users for .{1,300} reached|Licensed number of users already reached|No (?:\w+ )?license found|License error: -\d|LICENSE MANAGER ERROR:?$|Unable to connect to the license server|[Ll]icensing error: ?-\d|[Cc]ould not check out .{0,100}licen[cs]e/,
    say: readLine,
    addSentence: (message, sentence) =>
      /^(?:.*LICENSE MANAGER ERROR:|License error: -\d+\.)$/.test(message) ? `${message} ${sentence}` : undefined,
  },
  {
    name: 'fatal-error',
    literals: [
      ...['USER ERROR has occurred', 'XITING because of ', 'XITING: ', 'exiting because of ', 'Fatal INPUT FILE'],
      ...['FATAL:  ', 'ERROR  : ', '[E::', 'ERROR MESSAGE: ', '[main] unrecognized command', '[mem_sam_pe] paired '],
      ...['Error response from daemon', 'Error: '],
    ],
    regex:
      /A USER ERROR has occurred: (.+)|^FATAL: {2,}(?! )(.+)|^ERROR {2}: (.+)|^\[E::\w+\] (.+)|^#{3,} ERROR MESSAGE: (.+)|(?:EXITING|exiting)(?: because of|:) .{0,60}(?:FATAL|fatal|ERROR|error).*|^Fatal INPUT FILE error.*|^\[main\] unrecognized command .*|^\[mem_sam_pe\] paired reads have .*|^docker: Error response from daemon: .+|^Abaqus Error: .+/,
    say: ([text, ...words]) => words.find(Boolean) ?? text,
  },
  {
    name: 'fatal-error',
    literals: [
      ...['Error in routine', 'Error EDD', 'ZBRENT: fatal', 'VERY BAD NEWS', 'LAPACK: Routine', '\\___/'],
      ...['SCF IS UNCONVERGED', 'Convergence failure', 'FATAL CALLED FROM FILE', 'Error reading item ', 'ERROR FEXCP'],
      ...['internal error', 'probably precision problem'],
    ],
    regex:
      /(?:Error in routine \S+ \(|Error EDD|ZBRENT: fatal |VERY BAD NEWS|LAPACK: Routine \w+ failed|SCF IS UNCONVERGED|Convergence failure -- |FATAL CALLED FROM FILE|Error reading item '|ERROR FEXCP: ).*|\\___\/ +([A-Za-z].*)|^ *[A-Z][A-Z_]{3,}:? (?:internal error|\(probably precision problem).*/,
    say: ([text, cp2k]) => removeBox(cp2k ?? text),
    addSentence: (message, sentence) =>
      message.startsWith('FATAL CALLED') ? `${message}: ${sentence}` : joinSentence(message, sentence),
  },
  {
    name: 'fatal-error',
    literals: [': error #'],
    regex: /^ +from +\S+ *: error # +\d+$/,
    say: ([text]) => text.trim().replace(/ +/g, ' '),
    addSentence: (message, sentence) => (message.includes(': error #') ? `${message}: ${sentence}` : undefined),
  },
  {
    name: 'fatal-error',
    // VASP draws the word ERROR, and says below it what is wrong.
    literals: ['EEEEEEE  R'],
    regex: /^\|? *EEEEEEE {2}R[R ]{14,20}OOOOOOO/,
    say: () => VASP_ERROR,
    isHeading: (message) => message === VASP_ERROR,
    addSentence: (message, sentence) =>
      message === VASP_ERROR && /[a-z]{2}/.test(sentence) ? removeBox(sentence.replace(/^[| ]+/, '')) : undefined,
  },
  {
    name: 'fatal-error',
    literals: [
      ...['galloc:  could not', 'QPErr --- ', 'electrons is impossible', 'FormBX had a problem', 'of steps exceeded'],
      ...['Erroneous write', 'End of file in Z', 'ut-of-memory error in routine', 'umber out of range '],
      ...['Inaccurate quadrature', 'Linear angle in ', 'Tors failed for', 'no atoms in this input'],
    ],
    regex:
      /^ *(?:galloc: {2}could not allocate memory|QPErr --- .*|The combination of multiplicity .* is impossible|FormBX had a problem|-- Number of steps exceeded|Erroneous write\b.*|End of file in Z\w+\.|Out-of-memory error in routine .*|Atomic number out of range .*|Inaccurate quadrature in CalDSu|Linear angle in (?:Bend|Tors).*|Tors failed for dihedral.*|There are no atoms in this input structure)/,
    say: readLine,
  },
  {
    name: 'fatal-error',
    literals: [...['Error : multiplicity (', 'INPUT ERROR', 'ERROR !!!', 'IS NOT CONVERGED!', 'failed:: ']],
    regex:
      /^(Error : multiplicity \(.*)|^ +(INPUT ERROR)$|^ +(ERROR) !!!$|^[ *]*(This wavefunction IS NOT CONVERGED!)|^ *(?:\d+: ?){1,2}(\S.*?):: +-?\d+$/,
    say: ([text, ...words]) => words.find(Boolean) ?? text,
    addSentence: (message, sentence) => (/^(?:INPUT )?ERROR$/.test(message) ? `${message}: ${sentence}` : undefined),
  },
  {
    // NWChem says what failed between rules; GAMESS among stars.
    name: 'fatal-error',
    severity: 'warning',
    literals: [
      '_init: ',
      '_energy: ',
      '_input: ',
      '_optimize: ',
      '_create: ',
      '* ERROR',
      'BRMIX: very serious',
      'samtools ',
    ],
    regex:
      /^ (?:scf|rhf|uhf|rohf|dft|ccsd|mp2|tce|bas|geom|sym|task|driver|rtdb|movecs|int|input|inp|md|pspw|band)_\w+: \S.*|^ *\*{3,} *ERROR[ !:,.].*|^ *BRMIX: very serious problems|^samtools \w+: .+/,
    // Behind the sentence of NWChem is a number.
    say: ([text]) => removeBox(text.trim().replace(/^[* ]+/, '')).replace(/ {2,20}-?\d{1,9}$/, ''),
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
      ...['finished by error termination', 'aborting the run', 'quit unexpectedly', 'exited with errors'],
      'Error in Communication: ',
    ],
    regex:
      /EXECUTION OF GAMESS TERMINATED -ABNORMALLY-.*|Error termination (?:via|request) .*|ORCA finished by error termination.*|^ *\.{4} aborting the run|^ *ddikick\.x: .* quit unexpectedly.*|^Abaqus\/\w+ exited with errors|Received an Error in Communication: (?:\(-?\d+\) )?(?:[\d ]*:[\d ]*: ?)?(.+)/,
    say: ([text, nwchem]) => nwchem ?? text,
  },
  {
    name: 'mpi-abort',
    literals: ['There are not enough slots', 'mpirun was unable to ', 'MPI_INIT failed'],
    regex: /^There are not enough slots available .*|^mpirun was unable to .*|^It looks like MPI_INIT failed.*/,
    addSentence: (message, sentence) =>
      message.endsWith(sentence) || message.length > MAX_LINE_OF_PROSE ? undefined : `${message} ${sentence}`,
  },
  {
    // A call fails where another rank has died, too.
    name: 'mpi-abort',
    weight: 'collective',
    literals: ['*** MPI_ERR_', 'Fatal error in '],
    regex: /\*{3} (MPI_ERR_\w+: .+)|(Fatal error in P?MPI_\w+: .+)/,
    say: ([text, ofOpenMpi, ofMpich]) => ofOpenMpi ?? ofMpich ?? text,
  },
  {
    name: 'mpi-abort',
    weight: 'collective',
    literals: [' FATAL', 'mca_btl_'],
    regex: /\b\w+\.c:\d+ FATAL$|\bmca_btl_\w+: \w+ error.*/,
  },
];
