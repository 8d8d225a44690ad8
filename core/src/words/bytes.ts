const UNITS = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'];
const UNIT_FACTOR = 1024;

/** In the unit that suits `scale`, as Slurm counts: 1 GB is 1,024 MB. */
export function formatBytes(bytes: number, scale = bytes): string {
  const power = scale < 1 ? 0 : Math.min(Math.floor(Math.log2(scale) / 10), UNITS.length - 1);
  return `${Number((bytes / UNIT_FACTOR ** power).toFixed(1))} ${UNITS[power]}`;
}
