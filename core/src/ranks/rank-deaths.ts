import { LAUNCHER_DEATHS } from './launcher-deaths.js';
import { MPI_DEATHS } from './mpi-deaths.js';
import type { RankDeath } from './rank-death.js';
import { TORCH_DEATHS } from './torch-deaths.js';

/** Written from what these programs print, before anything was made to read them. */
export const RANK_DEATHS: readonly RankDeath[] = [...TORCH_DEATHS, ...LAUNCHER_DEATHS, ...MPI_DEATHS];
