const UNITS = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'];
const UNIT_FACTOR = 1024;

/** In the unit that suits `scale`, as Slurm counts: 1 GB is 1,024 MB. */
export function formatBytes(bytes: number, scale = bytes): string {
  const power = scale < 1 ? 0 : Math.min(Math.floor(Math.log2(scale) / 10), UNITS.length - 1);
  return `${Number((bytes / UNIT_FACTOR ** power).toFixed(1))} ${UNITS[power]}`;
}

/** As Slurm prints a time: `1:00:00`, `2-00:00:00`. */
export function formatDuration(durationMs: number): string {
  const seconds = Math.round(durationMs / 1000);
  const two = (count: number): string => String(count).padStart(2, '0');
  const days = Math.floor(seconds / 86_400);
  const hours = Math.floor((seconds % 86_400) / 3600);
  const clock = `${two(Math.floor((seconds % 3600) / 60))}:${two(seconds % 60)}`;
  return days === 0 ? `${hours}:${clock}` : `${days}-${two(hours)}:${clock}`;
}
