/** A state as it was typed, and as Joblens writes it: in capitals. Other programs may write theirs otherwise. */
export function listStateCases(states: readonly string[]): readonly string[] {
  return [...new Set(states.flatMap((state) => [state, state.toUpperCase()]))];
}
