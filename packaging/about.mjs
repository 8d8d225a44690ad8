// What packages say of Joblens.
export const SUMMARY = 'watch what cluster jobs print, inside Grafana';
export const DESCRIPTION = [
  'Joblens reads the output of jobs (Slurm, Kubernetes, a plain shell) while they',
  'run, renders it as a terminal would, finds the numbers in it, and writes both',
  'to InfluxDB. A plugin shows them in Grafana: logs, tables, graphs, events.',
  '',
  'Nothing is logged until the owner of a job opts in.',
];
export const HOMEPAGE = 'https://github.com/joblens/joblens';
export const MAINTAINER = 'The Joblens authors <joblens@users.noreply.github.com>';
