import type { RankDeath } from './rank-death.js';

/** Jobs of Open MPI, MPICH and Slurm's srun. */
export const MPI_DEATHS: readonly RankDeath[] = [
  {
    title: 'Open MPI: a segmentation fault, and connections that break before anybody says so',
    first: { rank: 7, node: 'b5' },
    says: 'Segmentation fault',
    output: [
      [
        '',
        10,
        '[b4][[38049,1],3][btl_tcp_frag.c:241:mca_btl_tcp_frag_recv] mca_btl_tcp_frag_recv: readv failed: Connection reset by peer (104)',
      ],
      [
        '',
        10.1,
        '[b5:12345] *** Process received signal ***\n[b5:12345] Signal: Segmentation fault (11)\n[b5:12345] Signal code: Address not mapped (1)',
      ],
      [
        '',
        11,
        'mpirun noticed that process rank 7 with PID 12345 on node b5 exited on signal 11 (Segmentation fault).',
      ],
    ],
  },
  {
    title: 'Open MPI: a rank that aborts with words of its own',
    first: { rank: 3 },
    says: 'MPI_ABORT was invoked on rank 3',
    output: [
      [
        '',
        10,
        'negative pressure in cell 17\n--------\nMPI_ABORT was invoked on rank 3 in communicator MPI_COMM_WORLD\nwith errorcode 1.',
      ],
      [
        '',
        11,
        '[b4:22] PMIX ERROR: UNREACHABLE in file server/pmix_server.c at line 2198\n[b4:22] 5 more processes have sent help message help-mpi-api.txt / mpi-abort',
      ],
    ],
  },
  {
    title: 'MPICH: a rank that aborts, and the cleaning up',
    first: { rank: 10 },
    says: 'MPI_Abort',
    output: [
      ['', 10, 'application called MPI_Abort(MPI_COMM_WORLD, 1) - process 10\n[cli_10]: aborting job:'],
      [
        '',
        11,
        '=   BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES\n=   PID 4774 RUNNING AT n3\n=   EXIT CODE: 1',
      ],
      [
        '',
        12,
        '[proxy:0:1@n2] HYD_pmcd_pmip_control_cmd_cb (pm/pmiserv/pmip_cb.c:878): assert (!closed) failed\n[mpiexec@n1] HYDT_bscu_wait_for_completion (bscu_wait.c:75): one of the processes terminated badly; aborting',
      ],
    ],
  },
  {
    title: 'MPICH: a segmentation fault of a node',
    first: { node: 'ws1' },
    says: 'EXIT CODE: 139',
    output: [
      [
        '',
        10,
        'Fatal error in PMPI_Recv: Unknown error class, error stack:\ndequeue_and_set_error(596): Communication error with rank 4',
      ],
      [
        '',
        11,
        '=   BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES\n=   PID 4774 RUNNING AT ws1\n=   EXIT CODE: 139\n=   CLEANING UP REMAINING PROCESSES',
      ],
      ['', 12, '[proxy:0:1@ws2] HYD_pmcd_pmip_control_cmd_cb (pm/pmiserv/pmip_cb.c:878): assert (!closed) failed'],
    ],
  },
  {
    title: 'srun: a segmentation fault, and the end of the step',
    first: { rank: 5, node: 'n17' },
    says: 'Segmentation fault',
    output: [
      ['', 10, 'srun: error: n17: task 5: Segmentation fault (core dumped)\nsrun: Terminating StepId=527812.0'],
      [
        '',
        11,
        'slurmstepd: error: *** STEP 527812.0 ON n17 CANCELLED AT 2026-11-27T10:00:01 ***\nsrun: Job step aborted: Waiting up to 32 seconds for job step to finish.',
      ],
      [
        '',
        12,
        'srun: error: n18: tasks 8-15: Terminated\nsrun: error: n17: tasks 0-4,6-7: Killed\nsrun: Force Terminated StepId=527812.0',
      ],
    ],
  },
  {
    title: 'srun: a task that is killed for memory',
    first: { rank: 2, node: 'n4' },
    says: 'memory',
    output: [
      [
        '',
        10,
        'slurmstepd: error: Detected 1 oom_kill event in StepId=77.0. Some of the step tasks have been OOM Killed.',
      ],
      ['', 10.1, 'srun: error: n5: tasks 4-7: Killed'],
      ['', 10.2, 'srun: error: n4: task 2: Out Of Memory\nsrun: Terminating StepId=77.0'],
      [
        '',
        11,
        'slurmstepd: error: *** STEP 77.0 ON n4 CANCELLED AT 2026-11-27T10:00:01 ***\nsrun: error: n4: tasks 0-1,3: Killed',
      ],
    ],
  },
  {
    title: 'srun with labels: an exception of one rank, another that lost it before',
    first: { rank: 3 },
    says: "KeyError: 'x'",
    output: [
      [
        '',
        10,
        '0: Traceback (most recent call last):\n0:   File "/home/ann/train.py", line 20, in <module>\n0: BrokenPipeError: [Errno 32] Broken pipe',
      ],
      [
        '',
        10.1,
        `3: Traceback (most recent call last):\n3:   File "/home/ann/train.py", line 20, in <module>\n3: KeyError: 'x'`,
      ],
      [
        '',
        11,
        'srun: error: n1: task 3: Exited with exit code 1\nsrun: Terminating StepId=77.0\n0: slurmstepd: error: *** STEP 77.0 ON n1 CANCELLED AT 2026-11-27T10:00:01 ***',
      ],
      ['', 12, 'srun: error: n2: tasks 4-7: Terminated\nsrun: error: n1: tasks 0-2: Exited with exit code 1'],
    ],
  },
  {
    title: 'a node that fails',
    first: { node: 'n17' },
    says: 'node failure',
    output: [
      [
        '',
        9,
        '[rank4]: Traceback (most recent call last):\n[rank4]:   File "/home/ann/train.py", line 20, in <module>\n[rank4]: torch.distributed.DistBackendError: NCCL error in: NCCLUtils.hpp:268, remote process exited or there was a network error',
      ],
      [
        '',
        10,
        'srun: error: Node failure on n17\nslurmstepd: error: *** STEP 7.0 ON n1 CANCELLED AT 2026-11-27T10:00:01 DUE TO NODE FAILURE, SEE SLURMCTLD LOG FOR DETAILS ***',
      ],
      ['', 11, 'srun: error: n1: tasks 0-7: Terminated'],
    ],
  },
];
