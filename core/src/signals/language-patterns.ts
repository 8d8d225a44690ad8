import { joinSentence, type PatternParts, readLine } from './pattern-parts.js';
import { EXCEPTION } from './signal-pattern.js';

/** Languages and their tools: how a program that did not begin, or that its runtime ended, says why. */
export const OF_LANGUAGES: readonly PatternParts[] = [
  {
    name: 'usage-error',
    literals: ['Error: ', 'error: ', 'Flags parsing error', "Could not override '"],
    regex:
      /: error: (?:argument |unrecognized arguments: |the following arguments are required: |ambiguous option: )|^\S[^:]{0,300}\.py: error: \S|^Error: (?:No such (?:option|command)|Invalid value|Missing (?:option|argument|command|parameter)|Got unexpected extra argument|Option '.{1,80}' )|^FATAL Flags parsing error:|^Could not override '/,
    say: readLine,
    // absl puts the flag below.
    addSentence: joinSentence,
  },
  {
    name: EXCEPTION,
    literals: ['Error in ', 'panic: '],
    regex: /^Error in (?!rule |routine ).{1,300}?\) : ?.*|^Error in `.{1,300}`: ?.*|^panic: .+/,
    addSentence: addSentenceOfR,
    isHeading: (message) => message.trimEnd().endsWith(':'),
  },
  {
    name: EXCEPTION,
    literals: [
      ...['Undefined function', 'Unrecognized function', 'Index exceeds ', 'Index in position ', 'Array indices must'],
      ...['Incorrect dimensions for', 'Arrays have incompatible', 'Matrix dimensions must', 'Not enough input arg'],
      ...['Error using ', 'Error: '],
    ],
    regex:
      /^(?:Undefined function (?:or variable )?|Unrecognized function or variable )'.*|^(?:Index exceeds (?:the number|matrix|array)|Index in position \d|Array indices must be|Incorrect dimensions for|Arrays have incompatible|Matrix dimensions must|Not enough input arguments).*|^\{?Error using {1,3}\S.{0,200}$|^Error: File: .{1,300} Line: \d.{0,40}$/,
    addSentence: addSentenceOfMatlab,
  },
  {
    name: 'module-not-found',
    literals: ["Can't locate "],
    regex: /^Can't locate \S+ in @INC.{0,300}/,
  },
  {
    // What is only a warning in Perl has the same form.
    name: EXCEPTION,
    severity: 'warning',
    literals: ['.pl line ', '.pm line ', 'Died at ', '.rb:'],
    regex:
      /^(?!BEGIN failed)\S.* at \S{1,300}\.p[lm] line \d+(?:, <\w*> (?:line|chunk) \d+)?\.$|^Died at \S+ line \d+\.$|^\S{1,300}\.rb:\d+:in .+ \(\w[\w:]*\)$/,
  },
  {
    name: EXCEPTION,
    literals: [
      'Error in line ',
      'Error in file ',
      'Exception in rule ',
      'Exception in line ',
      'Exception:',
      'WorkflowError:',
    ],
    regex:
      /^[A-Z]\w*(?:Exception|Error) in (?:rule|line|file) .{1,300}:$|^(?:WorkflowError|(?:Ambiguous)?RuleException|LockException|IncompleteFilesException|MissingInputException):$/,
    addSentence: joinSentence,
  },
  {
    name: 'fatal-error',
    literals: [
      ...['Fortran runtime error', 'forrtl: ', 'error: ', 'FIO-F-', 'UNRECOVERABLE library', 'ERROR STOP'],
      ...['Error: ', 'Program received signal SIG', 'ERROR:', 'CMake Error at '],
    ],
    regex:
      /Fortran runtime error(?:\(.{1,300}?\))?: .*|forrtl: (?:severe|error) \(\d+\): .*|^\S+: fatal error: .*|^fatal error: [a-z].*|ERROR: AddressSanitizer: .*|^(?:PG)?FIO-F-\d+\/.*|^lib-\d+ : UNRECOVERABLE library error|^ERROR STOP\b.*|^CMake Error at .{1,300}:$|^Runtime Error: \S.*|^Program received signal SIG(?!SEGV|ABRT|KILL|TERM)[A-Z]+[:,].*/,
    addSentence: addSentenceOfFortran,
  },
  {
    name: 'task-failed',
    weight: 'symptom',
    literals: [
      'make: *** ',
      ']: *** ',
      'Execution halted',
      'Exiting because a job execution failed',
      '(line ',
      'ERROR:',
    ],
    regex:
      /^ERROR: MATLAB error Exit Status: .*|^g?make(?:\[\d+\])?: \*\*\* .*|^Execution halted$|Exiting because a job execution failed.*|^Error in .{1,300} \(line \d+\)$/,
  },
  {
    name: 'task-failed',
    literals: ['Command error:'],
    // Nextflow: the words of the process are below.
    regex: /^Command error:$/,
    addSentence: joinSentence,
  },
  {
    name: 'file-not-found',
    severity: 'warning',
    literals: [": Can't open ", ': cannot open ', "can't cd to ", ': cannot create ', ': no such file or directory'],
    regex: /: \d+: (?:\.: |cd: )?(?:(?:Can't|cannot) (?:open|create)|can't cd to) \S|: no such file or directory/,
    say: readLine,
  },
  {
    name: 'usage-error',
    severity: 'warning',
    literals: [' option -', " option '", 'flag provided but not defined'],
    regex:
      /^\S{1,300}: (?:unrecognized|unknown|invalid|ambiguous|illegal) option (?:'|-- )|^\S{1,300}: option (?:'.{1,80}' |requires an argument -- )|^flag provided but not defined: -/,
    say: readLine,
  },
  {
    name: 'script-error',
    severity: 'warning',
    literals: [
      ...['yntax error', 'ad substitution', 'unbound variable', 'parameter not set', 'cannot execute'],
      ...['rgument list too long', 'Exec format error', 'error: ', 'not found (required by '],
    ],
    regex:
      /: (?:line )?\d+: (?:.{0,300}: )?(?:Syntax error: |syntax error |[Bb]ad substitution|unbound variable|parameter not set|cannot execute|Argument list too long|.{1,300}: cannot execute|.{1,300}: bad substitution)|Exec format error$|: symbol lookup error: |: version `.{1,80}' not found \(required by /,
    say: readLine,
  },
];

/** rlang has the call in the heading, the sentence behind `!`, and hints between them. */
function addSentenceOfR(message: string, sentence: string): string | undefined {
  if (!message.startsWith('Error in `')) return joinSentence(message, sentence);
  return message.trimEnd().endsWith(':') && sentence.startsWith('! ') ? `${message} ${sentence.slice(2)}` : undefined;
}

function addSentenceOfMatlab(message: string, sentence: string): string | undefined {
  const heading = message.trim();
  if (/^\{?Error using [^:]+$/.test(heading)) return `${heading}: ${sentence}`;
  return /^Error: File: .* Column: \d+$/.test(heading) ? `${heading}: ${sentence}` : undefined;
}

/** Cray's runtime and CMake have headings. */
function addSentenceOfFortran(message: string, sentence: string): string | undefined {
  if (message.startsWith('CMake')) return joinSentence(message, sentence);
  return message.startsWith('lib-') && message.endsWith(' error') ? `${message}: ${sentence}` : undefined;
}
