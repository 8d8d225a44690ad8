import { PRESET_NAMES, type PresetName } from '../metadata-kind.js';
import { STABLE_BASELINES } from './forms/boxes.js';
import { COLUMNS, LAMMPS } from './forms/columns.js';
import { COUNTED_COLUMNS } from './forms/counted-columns.js';
import { CP2K, QUANTUM_ESPRESSO, VASP } from './simulations/electronic-structure.js';
import { EPOCHS } from './training/epochs.js';
import { FHI_AIMS } from './simulations/fhi-aims.js';
import { FLOWER } from './training/flower.js';
import { GAUSSIAN } from './simulations/gaussian.js';
import { GPAW } from './simulations/gpaw.js';
import { GROMACS } from './simulations/gromacs.js';
import { KALDI } from './training/kaldi.js';
import { KERAS } from './training/keras.js';
import { MIP_SOLVERS } from './simulations/mip-solvers.js';
import { MITGCM } from './simulations/mitgcm.js';
import { AMBER, NAMD } from './simulations/molecular-dynamics.js';
import { DALTON, MOLPRO, PSI4, QCHEM, XTB } from './simulations/more-scf-tables.js';
import { MRBAYES } from './simulations/mrbayes.js';
import { OPENFOAM } from './simulations/openfoam.js';
import { PAIRS } from './forms/pairs.js';
import { PETSC } from './simulations/petsc.js';
import type { Preset } from './forms/preset.js';
import { ABINIT, GAMESS, NWCHEM, ORCA, SIESTA } from './simulations/scf-tables.js';
import { STAR } from './simulations/star.js';
import { DETECTRON2, FAIRSEQ, HUGGING_FACE, LIGHTNING, MEGATRON, MM, XGBOOST } from './training/training.js';
import { WRF } from './simulations/weather.js';
import { YOLO } from './training/yolo.js';

const PRESETS: Readonly<Record<PresetName, Preset>> = {
  'hugging-face': HUGGING_FACE,
  keras: KERAS,
  yolo: YOLO,
  detectron2: DETECTRON2,
  mm: MM,
  fairseq: FAIRSEQ,
  megatron: MEGATRON,
  lightning: LIGHTNING,
  xgboost: XGBOOST,
  'stable-baselines': STABLE_BASELINES,
  gromacs: GROMACS,
  lammps: LAMMPS,
  amber: AMBER,
  namd: NAMD,
  openfoam: OPENFOAM,
  wrf: WRF,
  vasp: VASP,
  'quantum-espresso': QUANTUM_ESPRESSO,
  cp2k: CP2K,
  siesta: SIESTA,
  abinit: ABINIT,
  nwchem: NWCHEM,
  gamess: GAMESS,
  orca: ORCA,
  gaussian: GAUSSIAN,
  psi4: PSI4,
  qchem: QCHEM,
  molpro: MOLPRO,
  dalton: DALTON,
  xtb: XTB,
  gpaw: GPAW,
  'fhi-aims': FHI_AIMS,
  petsc: PETSC,
  mitgcm: MITGCM,
  star: STAR,
  mrbayes: MRBAYES,
  'mip-solvers': MIP_SOLVERS,
  flower: FLOWER,
  kaldi: KALDI,
  'counted-columns': COUNTED_COLUMNS,
  epochs: EPOCHS,
  pairs: PAIRS,
  columns: COLUMNS,
};

export function findPreset(name: PresetName): Preset {
  return PRESETS[name];
}

/** All presets that `auto` tries; `columns` would take tables that are no measurements. */
export const AUTO_PRESETS: readonly Preset[] = PRESET_NAMES.filter((name) => name !== 'columns').map(findPreset);
