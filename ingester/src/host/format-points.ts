/** `1 point`, `5 points`. */
export function formatPoints(count: number): string {
  return count === 1 ? '1 point' : `${count} points`;
}
