const BASH = `_joblens() {
  local word
  COMPREPLY=()
  while IFS= read -r word; do
    COMPREPLY+=("$(printf '%q' "$word")")
  done < <(joblens completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -o nosort -F _joblens joblens
`;

const ZSH = `#compdef joblens
_joblens() {
  local -a found
  found=("\${(@f)$(joblens completion words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
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
