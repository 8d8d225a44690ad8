import { OF_LANGUAGES } from './language-patterns.js';
import { type PatternParts, readLine } from './pattern-parts.js';
import { OF_SCIENCES } from './science-patterns.js';
import { EXCEPTION } from './signal-pattern.js';

/** An exception alone on its line. Java's frameworks print many of them as warnings. */
export const OF_EXCEPTIONS: readonly PatternParts[] = [
  {
    name: EXCEPTION,
    severity: 'warning',
    literals: ['Error: ', 'Exception: ', 'Exception$'],
    regex: /^(?:[A-Za-z_]\w*\.)+[A-Z][\w$]*: .+|^[A-Z][\w$]*(?:Error|Exception): .+/,
    say: ([text]) => text.replace(/^(?:\w+\.)+(?=[A-Z])/, ''),
  },
  {
    // The words of all other programs.
    name: 'error-line',
    severity: 'warning',
    literals: ['Error: ', 'ERROR:', 'error: ', 'ERROR ~ ', 'atal: ', 'FATAL: ', 'CRITICAL:'],
    regex:
      /^ {0,4}(?:ERROR|Error|error|FATAL|FATAL ERROR|[Ff]atal|[Ff]atal error)(?: ~|:) (?=["'`(</[]?[A-Za-z]).+|^(?!srun|slurmstepd|sbatch|salloc)[\w./+-]{1,200}(?::\d+){0,2}: (?:error|fatal): (?=["'`(</[]?[A-Za-z]).+|^(?:ERROR|CRITICAL):[\w.]{1,80}:.+/,
    say: readLine,
  },
];

/** Programs that say in words of their own why they end. */
export const OF_FAMILIES: readonly PatternParts[] = [...OF_LANGUAGES, ...OF_SCIENCES];
