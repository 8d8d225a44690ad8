/** The parts of --help behind the options. */

const OPT_IN = `
Nothing is logged unless the owner of the job opts in: with ~/.logoptin (empty is enough; YAML with
mode: enabled | metadata | disabled and nonfinite: log | metadata), or with --mode.`;

export const PROGRAM_HELP = `
Examples:
  joblens run -- python train.py
  some-program 2>&1 | joblens pipe
  joblens watch /scratch/logs
  joblens doctor
${OPT_IN}

Environment (an option of the same meaning goes before; \`joblens run --help\` names them all):
  INFLUX_HOST, INFLUX_TOKEN, INFLUX_ORG, INFLUX_BUCKET   where to write
  INFLUX_USER, INFLUX_PASSWORD                           the same for InfluxDB 1.x
  JOBLENS_SPOOL                                          folder of the points that wait for the server
  JOBLENS_HEALTH                                         where watch answers /health and /metrics
  JOBLENS_LOG_LEVEL                                      how much is said on stderr`;

export const RUN_HELP = `
Examples:
  joblens run -- python train.py --epochs 10
  joblens run --mode metadata --name resnet --tag lr=0.1 --config conf.yaml -- ./train
  joblens run --mode enabled --out points.lp -- make
  srun joblens run -- python train.py
${OPT_IN}

Output and signals pass through untouched. Exit code: the command's own; 128+N when signal N ended it,
127 when it was not found, 126 when it is not executable, 2 when the options are wrong.
Logging never changes it: what is logged, where to and what went wrong is said on stderr in one line each.
Nothing is said to who has not opted in; --log-level debug tells why nothing is logged.`;

export const PIPE_HELP = `
Examples:
  some-program 2>&1 | joblens pipe
  some-program | joblens pipe --tee | less
  some-program 2> >(joblens pipe --job 7 --stream stderr) | joblens pipe --job 7
  joblens pipe --job 1 --mode enabled --out - < output.log
${OPT_IN}

Nothing is copied to standard output, but with --tee. Standard input is read to its end in any case, so that
the program before is not harmed. Exit code: 0; 1 when something that should have been logged was not; 2 when
the options are wrong.`;

export const WATCH_HELP = `
Examples:
  joblens watch slurm-123.out
  joblens watch /scratch/logs '/home/*/jobs/slurm-*.out'
  joblens watch --slurm
${OPT_IN}
For each job that is the opt-in file of its owner.

A file slurm-123.out is job 123 and slurm-123_4.out job 123_4; any other is a job named after the file. A
file that ends in .err is the job's stderr. The user is the owner of the file. Files are read from their start,
and after a restart from where they were left: that is kept with the points in the spool. One watch at a time
can use a spool folder. GET /health answers 200, or 503 and what is wrong; GET /metrics is for Prometheus.

Exit code: 0; 1 when something that should have been logged was not; 2 when the options are wrong.`;

export const DRAIN_HELP = `
Examples:
  joblens drain
  joblens drain --url http://influxdb:8086 --spool /scratch/spool

Points that run, pipe or watch could not send wait in the spool folder. The next joblens that writes to the same
server and bucket sends them too; this command does only that. It gives up when the server does not take them for
the time of --drain-timeout; what is left stays. Exit code: 0; 1 when points are left; 2 when the options are wrong.`;

export const DOCTOR_HELP = `
Examples:
  joblens doctor
  INFLUX_HOST=http://influxdb:8086 joblens doctor

Prints a line for each: ok, warn or fail, what was found, and what to do. Exit code: 0; 1 when something
fails; 2 when the options are wrong.`;
