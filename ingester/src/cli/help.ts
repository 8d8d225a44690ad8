/** The parts of --help behind the options. */

const OPT_IN = `
Nothing is logged unless the owner of the job opts in: with ~/.logoptin (empty is enough; YAML with
mode: enabled | metadata | disabled and nonfinite: log | metadata), or with --mode.`;

export const PROGRAM_HELP = `
Examples:
  joblens run -- python train.py
  some-program 2>&1 | joblens pipe
  joblens watch /scratch/logs
  joblens serve
  joblens doctor
${OPT_IN}

Environment (an option of the same meaning goes before; \`joblens run --help\` names them all):
  INFLUX_HOST, INFLUX_TOKEN, INFLUX_ORG, INFLUX_BUCKET   where to write
  INFLUX_USER, INFLUX_PASSWORD                           the same for InfluxDB 1.x
  JOBLENS_TOKEN, JOBLENS_PASSWORD                        go before INFLUX_…; the command that run starts does not get them
  JOBLENS_JOB_PREFIX                                     in front of the ids of jobs: a site's cluster
  JOBLENS_SPOOL                                          folder of the points that wait for the server
  JOBLENS_HEALTH                                         where watch and serve answer /health and /metrics
  JOBLENS_SERVE_TOKEN                                    what requests to serve must show
  JOBLENS_LOG_LEVEL                                      how much is said on stderr`;

export const RUN_HELP = `
Examples:
  joblens run -- python train.py --epochs 10
  joblens run --mode metadata --name resnet --tag lr=0.1 --config conf.yaml -- ./train
  joblens run --mode enabled --out points.lp -- make
  srun joblens run -- python train.py
${OPT_IN}

Output and signals pass through untouched. Where stdout and stderr go to one file, pipe or terminal they are
logged as one stream, stdout, in the order in which they come; with --separate as two, and then that order is
given up, in the file too. What a process prints that the command left behind passes through; it is logged until
nothing has come for a quarter of a second after the end of the command, for a second at most. A token or
password that is printed is stored as ***. Exit code: the command's own; 128+N when signal N ended it, 127 when
it was not found, 126 when it is not executable, 2 when the options are wrong.
Logging never changes it: what is logged, where to and what went wrong is said on stderr in one line each.
Who has not opted in is told so in one line; --quiet leaves it out, e.g. in a prolog.`;

export const PIPE_HELP = `
Examples:
  some-program 2>&1 | joblens pipe
  some-program | joblens pipe --tee | less
  some-program 2> >(joblens pipe --job 7 --stream stderr) | joblens pipe --job 7
  joblens pipe --job 1 --mode enabled --out - < output.log
${OPT_IN}

Nothing is copied to standard output, but with --tee. Standard input is read to its end in any case, so that
the program before is not harmed. Who has not opted in is told so in one line; --quiet leaves it out.
Exit code: 0; 1 when something that should have been logged was not; 2 when the options are wrong.`;

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

export const SERVE_HELP = `
Examples:
  joblens serve
  joblens serve --http 0.0.0.0:8186 --udp off --tcp off
  curl --data-binary 'temperature,host=node1 value=21.5' http://127.0.0.1:8186/write

Programs write to it as to an InfluxDB of 1.x or 2.x. 204 says that the points are on disk: neither a crash nor an
InfluxDB that is away loses them any more. UDP and TCP have no answers. While the spool is full, HTTP answers 503,
TCP senders wait, and what comes by UDP is dropped and counted. All points go to the one bucket that this
command writes to; a request that names another one is refused.

Times are nanoseconds where nothing says otherwise; a point without a time gets one of its own. A line that is no
point is kept with the reason in the file of --rejected, and the others go through. A line of TCP ends with a newline.
Of one over 8 KiB its beginning and its length are kept; the file grows to 64 MiB. A request with more than 10,000 lines
that are no points is not read to its end, nor one whose gzip unpacks to more than 25 MB (or a hundred times its size).

Where JOBLENS_SERVE_TOKEN is set, HTTP requests must show it as InfluxDB's token or password. UDP and TCP take from
anyone who can reach them, so by default nobody outside of this machine can. Pages of other origins are refused; where
only this machine can reach it, so is any host name but localhost and those of --allow-host.

Exit code: 0; 1 when points could not be sent or an address cannot be used; 2 when the options are wrong.`;

export const DRAIN_HELP = `
Examples:
  joblens drain
  joblens drain --url http://influxdb:8086 --spool /scratch/spool

Points that run, pipe, watch or serve could not send wait in the spool folder. The next joblens that writes to the same
server and bucket sends them too; this command does only that. It gives up when the server does not take them for
the time of --drain-timeout; what is left stays. Exit code: 0; 1 when points are left; 2 when the options are wrong.`;

export const DOCTOR_HELP = `
Examples:
  joblens doctor
  INFLUX_HOST=http://influxdb:8086 joblens doctor

Prints a line for each: ok, warn or fail, what was found, and what to do. Exit code: 0; 1 when something
fails; 2 when the options are wrong.`;
