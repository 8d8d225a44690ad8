/** The texts of --help behind the options. */

const OPT_IN = `
Nothing is logged unless the owner of the job opts in, either with a file ~/.logoptin or with --mode.
The file may be empty, or YAML: mode: enabled | metadata | disabled, and nonfinite: log | metadata.`;

export const PROGRAM_HELP = `
Examples:
  joblens run -- python train.py
  some-program 2>&1 | joblens pipe
  joblens watch /scratch/logs
  joblens serve
  joblens doctor
${OPT_IN}

Environment (an option overrides its variable; \`joblens run --help\` lists the options):
  INFLUX_HOST, INFLUX_TOKEN, INFLUX_ORG, INFLUX_BUCKET   where to write
  INFLUX_USER, INFLUX_PASSWORD                           user and password for InfluxDB 1.x
  JOBLENS_TOKEN, JOBLENS_PASSWORD                        override INFLUX_…; hidden from the command that run starts
  JOBLENS_JOB_PREFIX                                     put in front of job ids, e.g. the name of the cluster
  JOBLENS_SPOOL                                          folder of the points that wait for the server
  JOBLENS_HEALTH                                         where watch and serve answer /health and /metrics
  JOBLENS_SERVE_TOKEN                                    token that serve asks HTTP clients for
  JOBLENS_LOG_LEVEL                                      how much is said on stderr`;

export const RUN_HELP = `
Examples:
  joblens run -- python train.py --epochs 10
  joblens run --mode metadata --name resnet --tag lr=0.1 --config conf.yaml -- ./train
  joblens run --mode enabled --out points.lp -- make
  srun joblens run -- python train.py
${OPT_IN}

Output and signals pass through untouched. If stdout and stderr go to one file, pipe or terminal, they are logged as
one stream, stdout, in the order in which they come. --separate logs two streams and gives up that order, in the file
too. Output of a process that the command leaves behind still passes through; it is logged until nothing has come for
a quarter of a second, for a second at most. A token or password that the job prints is stored as ***.

Messages go to stderr, one line each: what is logged, where to, and what went wrong. Without an opt-in, one line says
that nothing is logged; --quiet leaves it out, e.g. in a prolog.

Logging never changes the exit code. Exit code: the command's own; 128+N when signal N ended it, 127 when it was not
found, 126 when it is not executable, 2 when the options are wrong.`;

export const PIPE_HELP = `
Examples:
  some-program 2>&1 | joblens pipe
  some-program | joblens pipe --tee | less
  some-program 2> >(joblens pipe --job 7 --stream stderr) | joblens pipe --job 7
  joblens pipe --job 1 --mode enabled --out - < output.log
${OPT_IN}

Nothing goes to standard output unless you give --tee. Standard input is always read to its end, so that the program
that writes it is not harmed. Without an opt-in, one line says that nothing is logged; --quiet leaves it out.

Exit code: 0; 1 when something that should have been logged was not; 2 when the options are wrong.`;

export const WATCH_HELP = `
Examples:
  joblens watch slurm-123.out
  joblens watch /scratch/logs '/home/*/jobs/slurm-*.out'
  joblens watch --slurm
${OPT_IN}
Each job needs the opt-in of its own owner.

The job is named by the file: slurm-123.out is job 123, slurm-123_4.out is job 123_4, and any other file is a job
with the file's name. A file that ends in .err is the job's stderr. The user is the owner of the file.

Files are read from their start. After a restart, reading continues where it stopped: the position is kept with the
points in the spool. One watch at a time can use a spool folder.

GET /health answers 200, or 503 with the reasons. GET /metrics is for Prometheus.

Exit code: 0; 1 when something that should have been logged was not; 2 when the options are wrong.`;

export const SERVE_HELP = `
Examples:
  joblens serve
  joblens serve --http 0.0.0.0:8186 --udp off --tcp off
  curl --data-binary 'temperature,host=node1 value=21.5' http://127.0.0.1:8186/write

Programs write to it as to InfluxDB 1.x or 2.x. HTTP answers 204 when the points are on disk: then no crash loses them,
and an InfluxDB that is away does not either. UDP and TCP give no answers. While the spool is full, HTTP answers 503,
TCP senders wait, and UDP datagrams are dropped and counted. All points go to the one bucket that this command writes
to; a request that names another bucket is refused.

Times are nanoseconds unless the request says otherwise. A point without a time gets one of its own. A TCP line ends
with a newline. A line that is not a valid point is kept with the reason in the file of --rejected, which grows to
64 MiB, and the other lines go through. Of such a line over 8 KiB, only the beginning and the length are kept. Reading
a request stops after 10,000 such lines, or when its gzip unpacks to more than 25 MB (or to 100 times its size).

If JOBLENS_SERVE_TOKEN is set, HTTP requests must show it as InfluxDB's token or password. UDP and TCP accept points
from anyone who can reach them, so by default nobody outside this machine can. Web pages of other origins are refused.
While only this machine can reach the HTTP address, so is every host name except localhost and those of --allow-host.

Exit code: 0; 1 when points could not be sent or an address cannot be used; 2 when the options are wrong.`;

export const DRAIN_HELP = `
Examples:
  joblens drain
  joblens drain --url http://influxdb:8086 --spool /scratch/spool

Points that run, pipe, watch or serve could not send wait in the spool folder. This command sends them. So does the next
joblens that writes to the same server and bucket. It gives up when the server has taken none for the time of
--drain-timeout; the rest stays.

Exit code: 0; 1 when points are left; 2 when the options are wrong.`;

export const DOCTOR_HELP = `
Examples:
  joblens doctor
  INFLUX_HOST=http://influxdb:8086 joblens doctor

Prints one line per check: ok, warn or fail, what was found, and what to do.

Exit code: 0; 1 when something fails; 2 when the options are wrong.`;
