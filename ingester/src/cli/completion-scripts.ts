/** Bash also splits words at "=" and ":", leaves quotes in them, and puts what is chosen for the last piece alone. */
const BASH = `_joblens_unquote() {
  local rest=$1 char
  word= quote=
  while [[ -n $rest ]]; do
    char=\${rest:0:1} rest=\${rest:1}
    if [[ -z $quote && $char == [\\'\\"] ]]; then quote=$char
    elif [[ $char == "$quote" ]]; then quote=
    elif [[ $char == "\\\\" && $quote != \\' ]]; then word+=\${rest:0:1} rest=\${rest:1}
    else word+=$char
    fi
  done
}
_joblens() {
  local rest=\${COMP_LINE:0:COMP_POINT} piece word quote typed ahead i
  local -a typed_words=() words=()
  for ((i = 0; i <= COMP_CWORD; i++)); do
    piece=\${COMP_WORDS[i]}
    if [[ $i -gt 0 && $rest == [![:space:]]* ]]; then
      typed_words[\${#typed_words[@]} - 1]+=$piece
    else
      typed_words+=("$piece")
    fi
    rest=\${rest#"\${rest%%[![:space:]]*}"}
    rest=\${rest#"$piece"}
  done
  typed=\${typed_words[\${#typed_words[@]} - 1]}
  if [[ $piece != *[!=:]* ]]; then ahead=$typed; else ahead=\${typed%"$piece"}; fi
  for typed in "\${typed_words[@]:1}"; do
    _joblens_unquote "$typed"
    words+=("$word")
  done
  _joblens_unquote "$ahead"
  ahead=$word
  _joblens_unquote "$piece"
  COMPREPLY=()
  while IFS= read -r word; do
    word=\${word#"$ahead"}
    [[ -n $quote ]] || word=$(printf '%q' "$word")
    COMPREPLY+=("$word")
  done < <(joblens completion words -- "\${words[@]}" 2>/dev/null)
}
complete -o default -o nosort -F _joblens joblens
`;

const ZSH = `#compdef joblens
_joblens() {
  local -a found
  found=("\${(@f)$(joblens completion words -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "$found" ]]; then
    compadd -V joblens -- "\${found[@]}"
  else
    _files
  fi
}
compdef _joblens joblens
`;

const FISH = `function __joblens_words
    set -l typed (commandline -opc)
    set -l current (commandline -ct)
    joblens completion words -- $typed[2..-1] "$current" 2>/dev/null
end
complete -c joblens -k -a '(__joblens_words)'
`;

export const SCRIPTS: Readonly<Record<string, string>> = { bash: BASH, zsh: ZSH, fish: FISH };
export const SHELLS: readonly string[] = Object.keys(SCRIPTS);
