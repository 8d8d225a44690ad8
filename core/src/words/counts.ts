/** `12,345` */
export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}

/** `1 job`, `12,345 jobs`. `noun`: one of them; it gets an `s`. */
export function countOf(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}
