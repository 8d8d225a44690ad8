/** The readers of known programs, in the order in which `auto` tries them. */
export const PRESET_NAMES = [
  'hugging-face',
  'keras',
  'yolo',
  'detectron2',
  'mm',
  'fairseq',
  'megatron',
  'lightning',
  'xgboost',
  'stable-baselines',
  'gromacs',
  'lammps',
  'amber',
  'namd',
  'openfoam',
  'wrf',
  'vasp',
  'quantum-espresso',
  'cp2k',
  'siesta',
  'abinit',
  'nwchem',
  'gamess',
  'orca',
  'gaussian',
  'psi4',
  'qchem',
  'molpro',
  'dalton',
  'xtb',
  'gpaw',
  'fhi-aims',
  'petsc',
  'mitgcm',
  'star',
  'mrbayes',
  'mip-solvers',
  'flower',
  'kaldi',
  'counted-columns',
  'epochs',
  'pairs',
  'columns',
] as const;

export type PresetName = (typeof PRESET_NAMES)[number];

/** A kind of lines that count as metadata (docs/metadata-kinds.md). `regex` has named groups. */
export type MetadataKind =
  'json' | 'python-dict' | 'logfmt' | { readonly regex: string } | { readonly preset: PresetName | 'auto' };

/** Only JSON is metadata unless the user says more. */
export const DEFAULT_METADATA_KINDS: readonly MetadataKind[] = ['json'];

/** As YAML in one line, an item of the option `metadata`: `regex: '(?<step>\d+)'`. */
export function formatMetadataKind(kind: MetadataKind): string {
  if (typeof kind === 'string') {
    return kind;
  }
  return 'preset' in kind ? `preset: ${kind.preset}` : `regex: '${kind.regex.replace(/'/g, "''")}'`;
}
