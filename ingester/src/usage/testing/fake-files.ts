import type { SystemFiles } from '../system-files.js';

/** Files that a test may change while they are read. */
export interface FakeFiles {
  readonly texts: Map<string, string>;
  read: SystemFiles['read'];
  list: SystemFiles['list'];
}

export function createFakeFiles(...trees: ReadonlyArray<Readonly<Record<string, string>>>): FakeFiles {
  const texts = new Map(trees.flatMap((tree) => Object.entries(tree)));
  return {
    texts,
    read: (path) => texts.get(path),
    list(path) {
      const below = [...texts.keys()].filter((file) => file.startsWith(`${path}/`));
      return [...new Set(below.map((file) => file.slice(path.length + 1).split('/')[0] ?? ''))];
    },
  };
}

/** The files of /sys/fs/cgroup for one cgroup of version 2, as Linux 6.1 writes them. */
export function createVersion2(folder: string, { usageUs = 12_345_678 } = {}): Record<string, string> {
  return {
    [`${folder}/cgroup.procs`]: '',
    [`${folder}/cpu.stat`]: `usage_usec ${usageUs}\nuser_usec 11000000\nsystem_usec 1345678\nnr_periods 0\nnr_throttled 0\n`,
    [`${folder}/memory.current`]: '1000000000\n',
    [`${folder}/memory.stat`]:
      'anon 600000000\nfile 350000000\nkernel 50000000\ninactive_anon 600000000\nactive_anon 4096\n' +
      'inactive_file 250000000\nactive_file 100000000\nunevictable 0\n',
    [`${folder}/io.stat`]:
      '8:16 rbytes=1459200 wbytes=314773504 rios=192 wios=353 dbytes=0 dios=0\n' +
      '8:0 rbytes=90430464 wbytes=299008000 rios=8950 wios=1252 dbytes=50331648 dios=3021\n',
  };
}

/** The same of version 1, where each controller has a tree of its own; recorded on Linux 5.10, and shortened. */
export function createVersion1(folder: string): Record<string, string> {
  const root = '/sys/fs/cgroup';
  return {
    [`${root}/cpuacct/${folder}/cpuacct.usage`]: '55495794514432\n',
    [`${root}/memory/${folder}/memory.usage_in_bytes`]: '2682335232\n',
    [`${root}/memory/${folder}/memory.stat`]:
      'cache 14200832\nrss 9789440\ninactive_file 212992\nactive_file 4902912\nhierarchical_memory_limit 9223372036854771712\n' +
      'total_cache 1908740096\ntotal_rss 773595136\ntotal_shmem 26497024\ntotal_inactive_anon 780910592\n' +
      'total_active_anon 1732608\ntotal_inactive_file 841818112\ntotal_active_file 1040424960\ntotal_unevictable 17342464\n',
    [`${root}/blkio/${folder}/blkio.throttle.io_service_bytes_recursive`]:
      '8:0 Read 4096\n8:0 Write 8192\n8:0 Sync 12288\n8:0 Total 12288\n8:16 Read 1000\n8:16 Write 0\nTotal 13288\n',
  };
}
