import type { RankDeath } from './rank-death.js';

/** Jobs of DeepSpeed, Horovod and Ray. */
export const LAUNCHER_DEATHS: readonly RankDeath[] = [
  {
    title: 'DeepSpeed over pdsh: an exception on one host',
    first: { node: 'worker-2', rank: 17 },
    says: 'CUDA out of memory',
    output: [
      [
        '',
        10,
        'worker-2: [rank17]: Traceback (most recent call last):\nworker-2: [rank17]:   File "/home/ann/train.py", line 20, in <module>\nworker-2: [rank17]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.',
      ],
      ['', 11, 'worker-2: [2026-11-27 10:00:01,123] [INFO] [launch.py:319:sigkill_handler] Killing subprocess 4321'],
      [
        '',
        12,
        "worker-2: [2026-11-27 10:00:02,123] [ERROR] [launch.py:325:sigkill_handler] ['/usr/bin/python', '-u', 'train.py', '--local_rank=1'] exits with return code = 1",
      ],
      [
        '',
        13,
        'worker-1: [rank8]: torch.distributed.DistBackendError: NCCL error in: NCCLUtils.hpp:268, remote process exited or there was a network error',
      ],
      ['', 14, 'pdsh@head: worker-2: ssh exited with exit code 1'],
    ],
  },
  {
    title: 'DeepSpeed on one host: a rank that dies without a word',
    first: { rank: 1 },
    says: 'return code = -11',
    output: [
      [
        '',
        10,
        '[2026-11-27 10:00:00,123] [INFO] [launch.py:318:sigkill_handler] Killing subprocess 94984\n[2026-11-27 10:00:00,124] [INFO] [launch.py:318:sigkill_handler] Killing subprocess 94985',
      ],
      [
        '',
        12,
        "[2026-11-27 10:00:02,123] [ERROR] [launch.py:324:sigkill_handler] ['/usr/bin/python', '-u', 'train.py', '--local_rank=1', '--deepspeed'] exits with return code = -11",
      ],
    ],
  },
  {
    title: 'Horovod over mpirun, its lines tagged',
    first: { rank: 2 },
    says: 'FileNotFoundError',
    output: [
      [
        '',
        10,
        '[1,0]<stderr>:2026-11-27 10:00:00.1: W tensorflow/core/framework/op_kernel.cc:1651] OP_REQUIRES failed at mpi_ops.cc:402 : Unknown: Horovod has been shut down. This was caused by an exception on one of the ranks',
      ],
      [
        '',
        11,
        `[1,2]<stderr>:Traceback (most recent call last):\n[1,2]<stderr>:  File "/home/ann/train.py", line 20, in <module>\n[1,2]<stderr>:FileNotFoundError: [Errno 2] No such file or directory: '/data/a (1).tfrecord'`,
      ],
      [
        '',
        12,
        '[1,1]<stderr>:Traceback (most recent call last):\n[1,1]<stderr>:horovod.common.exceptions.HorovodInternalError: Horovod has been shut down. This was caused by an exception on one of the ranks',
      ],
      [
        '',
        13,
        'Primary job  terminated normally, but 1 process returned\na non-zero exit code. Per user-direction, the job has been aborted.\nmpirun detected that one or more processes exited with non-zero status, thus causing\nthe job to be terminated. The first process to do so was:\n\n  Process name: [[38049,1],2]\n  Exit code:    1',
      ],
    ],
  },
  {
    title: 'Horovod over gloo',
    first: { rank: 3 },
    says: 'MemoryError',
    output: [
      [
        '',
        10,
        'Fri Nov 27 10:00:00 2026[0]<stderr>:[/tmp/gloo/gloo/transport/tcp/pair.cc:589] Read error [10.0.0.2]:8423: Connection reset by peer',
      ],
      [
        '',
        11,
        'Fri Nov 27 10:00:01 2026[3]<stderr>:Traceback (most recent call last):\nFri Nov 27 10:00:01 2026[3]<stderr>:  File "/home/ann/train.py", line 20, in <module>\nFri Nov 27 10:00:01 2026[3]<stderr>:MemoryError',
      ],
      [
        '',
        12,
        'Process 3 exit with status code 1.\nTerminating remaining workers after failure of Process 3.\nProcess 0 exit with status code 143.',
      ],
    ],
  },
  {
    title: 'Ray Train: an exception of one worker',
    first: { node: '10.7.34.138' },
    says: 'ValueError: bad batch',
    output: [
      [
        '',
        10,
        '(RayTrainWorker pid=4100, ip=10.7.34.120) [rank0]:[W1127 TCPStore.cpp:125] [c10d] recvValue failed on SocketImpl(fd=3): Connection reset by peer',
      ],
      [
        '',
        11,
        '(RayTrainWorker pid=5226, ip=10.7.34.138) Traceback (most recent call last):\n(RayTrainWorker pid=5226, ip=10.7.34.138)   File "/home/ann/train.py", line 20, in loop\n(RayTrainWorker pid=5226, ip=10.7.34.138) ValueError: bad batch',
      ],
      [
        '',
        12,
        '(RayTrainWorker pid=4100, ip=10.7.34.120) RuntimeError: [gloo/transport/tcp/pair.cc:544] Connection closed by peer [10.7.34.138]:2193',
      ],
    ],
  },
  {
    title: 'Ray, which kills a worker for memory',
    first: { node: '10.7.34.138' },
    says: 'memory pressure',
    output: [
      [
        '',
        10,
        '(raylet, ip=10.7.34.138) 1 Workers (tasks / actors) killed due to memory pressure (OOM), 0 Workers crashed due to other reasons at node (ID: 2f0c, IP: 10.7.34.138) over the last time period.',
      ],
      [
        '',
        12,
        'Traceback (most recent call last):\n  File "/home/ann/train.py", line 20, in <module>\nray.exceptions.ActorDiedError: The actor died unexpectedly before finishing this task.',
      ],
    ],
  },
];
