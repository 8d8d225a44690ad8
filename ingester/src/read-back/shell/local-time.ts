/** `2026-11-23 05:06:07` in the time zone of this process. */
export function formatLocalTime(timeMs: number): string {
  const date = new Date(timeMs);
  if (Number.isNaN(date.getTime())) return 'an unknown time';
  const two = (number: number): string => String(number).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}
