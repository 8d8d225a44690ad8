// What packages say of Joblens.
export const SUMMARY = 'watch what cluster jobs print, inside Grafana';
export const DESCRIPTION = [
  'Joblens reads the output of jobs (Slurm, Kubernetes, a plain shell) while they',
  'run, renders it as a terminal would, finds the numbers in it, and writes both',
  'to InfluxDB. A plugin shows them in Grafana: logs, tables, graphs, events.',
  '',
  'Nothing is logged until the owner of a job opts in.',
];

const { DEBFULLNAME = 'The Joblens authors', DEBEMAIL = 'joblens@localhost' } = process.env;
const { GITHUB_SERVER_URL, GITHUB_REPOSITORY } = process.env;

/** Whoever builds the packages, in the form and by the variables of Debian. */
export const MAINTAINER = `${DEBFULLNAME} <${DEBEMAIL}>`;
/** The repository that builds them; undefined elsewhere. */
export const HOMEPAGE = GITHUB_REPOSITORY === undefined ? undefined : `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}`;
