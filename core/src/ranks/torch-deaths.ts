import type { RankDeath } from './rank-death.js';

/** Jobs of PyTorch, with its own launcher. */
export const TORCH_DEATHS: readonly RankDeath[] = [
  {
    title: 'DDP on one node under torchrun: an exception, and the end of the others',
    first: { rank: 5 },
    says: 'ValueError: bad shape',
    output: [
      ['', 100, '[rank5]: Traceback (most recent call last):\n[rank5]:   File "/home/ann/train.py", line 17, in step'],
      ['', 100.1, '[rank5]: ValueError: bad shape (3, 4)'],
      [
        '',
        101,
        'W1127 10:00:01.000 77 site-packages/torch/distributed/elastic/multiprocessing/api.py:900] Sending process 90 closing signal SIGTERM',
      ],
      [
        '',
        102,
        'E1127 10:00:02.000 77 site-packages/torch/distributed/elastic/multiprocessing/api.py:874] failed (exitcode: 1) local_rank: 5 (pid: 95) of binary: /usr/bin/python',
      ],
      [
        '',
        102.1,
        'Traceback (most recent call last):\n  File "/usr/bin/torchrun", line 8, in <module>\ntorch.distributed.elastic.multiprocessing.errors.ChildFailedError: ',
      ],
      [
        '',
        102.2,
        'Root Cause (first observed failure):\n[0]:\n  time      : 2026-11-27_10:00:01\n  host      : n1\n  rank      : 5 (local_rank: 5)\n  exitcode  : 1 (pid: 95)',
      ],
    ],
  },
  {
    title: 'DDP on two nodes, a writer each: out of memory, and the watchdog of the other node ten minutes later',
    first: { node: 'n2', rank: 11 },
    says: 'CUDA out of memory',
    output: [
      [
        'n2',
        50,
        '[rank11]: Traceback (most recent call last):\n[rank11]:   File "/home/ann/train.py", line 9, in <module>\n[rank11]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.',
      ],
      [
        'n2',
        52,
        'W1127 10:00:02.000 66 torch/distributed/elastic/multiprocessing/api.py:900] Sending process 67 closing signal SIGTERM',
      ],
      [
        'n1',
        650,
        '[rank0]:[E1127 10:10:00.1 ProcessGroupNCCL.cpp:632] [Rank 0] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=880, OpType=ALLREDUCE) ran for 600010 milliseconds before timing out.',
      ],
      [
        'n1',
        650.1,
        "terminate called after throwing an instance of 'c10::DistBackendError'\n  what():  [PG ID 0 Rank 0] Process group watchdog thread terminated with exception: [Rank 0] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=880)",
      ],
      ['n1', 651, 'Fatal Python error: Aborted'],
      [
        'n1',
        652,
        'E1127 10:10:02.000 77 torch/distributed/elastic/multiprocessing/api.py:874] failed (exitcode: -6) local_rank: 0 (pid: 90) of binary: /usr/bin/python',
      ],
      [
        'n1',
        653,
        'Root Cause (first observed failure):\n[0]:\n  time      : 2026-11-27_10:10:02\n  host      : n1\n  rank      : 0 (local_rank: 0)\n  exitcode  : -6 (pid: 90)\n  traceback : Signal 6 (SIGABRT) received by PID 90',
      ],
    ],
  },
  {
    title: 'followers that print before the rank that failed, whose output was kept back',
    first: { rank: 3 },
    says: "KeyError: 'label (a-1)'",
    output: [
      [
        '',
        10,
        '[rank0]: Traceback (most recent call last):\n[rank0]:   File "/home/ann/train.py", line 20, in <module>\n[rank0]: torch.distributed.DistBackendError: NCCL error in: /pytorch/NCCLUtils.hpp:268, remote process exited or there was a network error, NCCL version 2.21.5',
      ],
      [
        '',
        10.2,
        '[rank1]: RuntimeError: [/pytorch/third_party/gloo/gloo/transport/tcp/pair.cc:544] Connection closed by peer [10.2.96.68]:21932',
      ],
      [
        '',
        10.3,
        '[rank2]:[W1127 10:00:00.3 TCPStore.cpp:125] [c10d] recvValue failed on SocketImpl(fd=3): Connection reset by peer',
      ],
      [
        '',
        11,
        `[rank3]: Traceback (most recent call last):\n[rank3]:   File "/home/ann/data.py", line 7, in load\n[rank3]: KeyError: 'label (a-1)'`,
      ],
    ],
  },
  {
    title: 'a rank of its own writer with a broken card, ahead of it a clock that is late',
    first: { task: '6' },
    says: 'uncorrectable ECC error',
    output: [
      [
        '2',
        99.96,
        'Traceback (most recent call last):\n  File "/home/ann/train.py", line 20, in <module>\nConnectionResetError: [Errno 104] Connection reset by peer',
      ],
      [
        '6',
        100,
        'Traceback (most recent call last):\n  File "/home/ann/train.py", line 20, in <module>\nRuntimeError: CUDA error: uncorrectable ECC error encountered',
      ],
      [
        '1',
        700,
        '[E1127 10:10:00.1 ProcessGroupNCCL.cpp:632] [Rank 1] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=880)\n[E ProcessGroupNCCL.cpp:681] [Rank 1] Some NCCL operations have failed or timed out.',
      ],
      ['1', 701, "terminate called after throwing an instance of 'c10::DistBackendError'\nFatal Python error: Aborted"],
      [
        '0',
        702,
        '[rank0]:[F1127 10:10:02 ProcessGroupNCCL.cpp:1557] [PG ID 0 PG GUID 0(default_pg) Rank 0] Terminating the process after attempting to dump debug info, due to collective timeout or exception.',
      ],
    ],
  },
  {
    title: 'torchrun, where a rank is killed without a word, and the other node tells first',
    first: { node: 'n3', rank: 12 },
    says: 'SIGKILL',
    output: [
      [
        'n1',
        20,
        '[rank2]: Traceback (most recent call last):\n[rank2]:   File "/home/ann/train.py", line 20, in <module>\n[rank2]: torch.distributed.DistBackendError: NCCL error in: /pytorch/NCCLUtils.hpp:268, remote process exited or there was a network error',
      ],
      [
        'n1',
        21,
        'Root Cause (first observed failure):\n[0]:\n  time      : 2026-11-27_10:00:02\n  host      : n1\n  rank      : 2 (local_rank: 2)\n  exitcode  : 1 (pid: 92)',
      ],
      [
        'n3',
        22,
        'W1127 10:00:02.000 66 torch/distributed/elastic/multiprocessing/api.py:900] Sending process 67 closing signal SIGTERM\nE1127 10:00:02.000 66 torch/distributed/elastic/multiprocessing/api.py:874] failed (exitcode: -9) local_rank: 4 (pid: 71) of binary: /usr/bin/python',
      ],
      [
        'n3',
        23,
        'Root Cause (first observed failure):\n[0]:\n  time      : 2026-11-27_10:00:01\n  host      : n3\n  rank      : 12 (local_rank: 4)\n  exitcode  : -9 (pid: 71)\n  traceback : Signal 9 (SIGKILL) received by PID 71',
      ],
    ],
  },
  {
    title: 'a worker of a DataLoader that dies of too small a /dev/shm',
    first: { rank: 1 },
    says: 'DataLoader worker',
    output: [
      [
        '',
        10,
        '[rank1]: Traceback (most recent call last):\n[rank1]:   File "/home/ann/train.py", line 20, in <module>\n[rank1]: RuntimeError: DataLoader worker (pid 4321) is killed by signal: Bus error. It is possible that dataloader\'s workers are out of shared memory.',
      ],
      [
        '',
        11,
        '[rank0]: Traceback (most recent call last):\n[rank0]:   File "/home/ann/train.py", line 20, in <module>\n[rank0]: torch.distributed.DistNetworkError: Connection reset by peer',
      ],
      [
        '',
        12,
        'W1127 10:00:02.000 66 torch/distributed/elastic/multiprocessing/api.py:900] Sending process 67 closing signal SIGTERM',
      ],
    ],
  },
  {
    title: 'mp.spawn, which names the process with its exception',
    first: { rank: 2 },
    says: 'ZeroDivisionError',
    output: [
      ['', 10, 'W1127 10:00:00.1 55 torch/multiprocessing/spawn.py:169] Terminating process 4321 via signal SIGTERM'],
      [
        '',
        11,
        'Traceback (most recent call last):\n  File "/home/ann/train.py", line 40, in <module>\n    mp.spawn(main_worker, nprocs=4)\ntorch.multiprocessing.spawn.ProcessRaisedException: \n\n-- Process 2 terminated with the following error:\nTraceback (most recent call last):\n  File "/home/ann/train.py", line 12, in main_worker\nZeroDivisionError: division by zero',
      ],
    ],
  },
];
