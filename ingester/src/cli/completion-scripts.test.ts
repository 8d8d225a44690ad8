import { spawnSync } from 'node:child_process';
import { SCRIPTS } from './completion-scripts.js';

/** Stands in for the command: says which words came, and offers odd names of jobs, or values of an option. */
const STAND_IN = `joblens() {
  shift 3
  printf '<%s>' "$@" >&2
  case "\${@: -1}" in
    --state=*) printf -- '--state=%s\\n' FAILED FINISHED ;;
    *) printf '%s\\n' "sweep (1).a" "it's-1" a:b:c lr=3e-4 ;;
  esac
}`;

/** The words that the command is given for a line, which bash has cut into pieces, and what bash is offered. */
function completeInBash(
  line: string,
  pieces: readonly string[]
): { readonly words: string; readonly replies: readonly string[] } {
  const script = `${STAND_IN}
    ${SCRIPTS['bash'] ?? ''}
    exec 3>&2
    COMP_LINE=$1; COMP_POINT=\${#1}; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
    # The script hides what the command says beside its answer.
    eval "$(declare -f _joblens | sed 's:2> */dev/null:2>\\&3:')"
    _joblens; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync('bash', ['-c', script, 'bash', line, ...pieces], { encoding: 'utf8' });
  return { words: stderr, replies: stdout.split('\n').slice(0, -1) };
}

describe('completion in bash', () => {
  const NAMES = ['sweep\\ \\(1\\).a', "it\\'s-1", 'a:b:c', 'lr=3e-4'];
  it.each([
    ['joblens log ', ['joblens', 'log', ''], '<log><>', NAMES],
    ['joblens  log   sw', ['joblens', 'log', 'sw'], '<log><sw>', NAMES],
    [
      'joblens jobs --state=FA',
      ['joblens', 'jobs', '--state', '=', 'FA'],
      '<jobs><--state=FA>',
      ['FAILED', 'FINISHED'],
    ],
    ['joblens jobs --state=', ['joblens', 'jobs', '--state', '='], '<jobs><--state=>', ['FAILED', 'FINISHED']],
    ['joblens log a:', ['joblens', 'log', 'a', ':'], '<log><a:>', [...NAMES.slice(0, 2), 'b:c', NAMES[3]]],
    ['joblens log lr=3', ['joblens', 'log', 'lr', '=', '3'], '<log><lr=3>', [...NAMES.slice(0, 3), '3e-4']],
    [
      'joblens log "sweep (1',
      ['joblens', 'log', '"sweep (1'],
      '<log><sweep (1>',
      ['sweep (1).a', "it's-1", 'a:b:c', 'lr=3e-4'],
    ],
    ['joblens log sweep\\ \\(', ['joblens', 'log', 'sweep\\ \\('], '<log><sweep (>', NAMES],
    [`joblens plot 'a b':"c" x`, ['joblens', 'plot', "'a b'", ':', '"c"', 'x'], '<plot><a b:c><x>', NAMES],
    ["joblens log it\\'", ['joblens', 'log', "it\\'"], "<log><it'>", NAMES],
  ])('of %s', (line, pieces, words, replies) => {
    expect(completeInBash(line, pieces)).toEqual({ words, replies });
  });
});
