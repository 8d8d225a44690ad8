import type { Recording } from './recording.js';

/** What solvers of linear and integer programs print, and the rows in it. */
export const SOLVER_RECORDINGS: readonly Recording[] = [
  [
    'mip-solvers',
    `Barrier statistics:
                  Objective                Residual
Iter       Primal          Dual         Primal    Dual     Compl     Time
   0   1.30273209e+06 -1.03e+06  2.1e+03 1.1e+02  1.1e+03     0s
   1   1.20273209e+06 -1.02e+06  1.1e+03 1.0e+02  1.0e+03     0s
    Nodes    |    Current Node    |     Objective Bounds      |     Work
 Expl Unexpl |  Obj  Depth IntInf | Incumbent    BestBd   Gap | It/Node Time

     0     0  174.30000    0   59  340.00000  174.30000  48.7%     -    0s
H    0     0                     229.0000000  174.30000  23.9%     -    0s
     0     0  175.25000    0   56  229.00000  175.25000  23.5%     -    0s
*  164    92              27     226.0000000  178.00000  21.2%  12.1    1s
  1066   702  181.00000   10   40  226.00000  179.00000  20.8%  14.0    5s`,
    [
      {
        Iter: 0,
        'primal objective': 1302732.09,
        'dual objective': -1030000,
        'primal residual': 2100,
        'dual residual': 110,
        complementarity: 1100,
      },
      {
        Iter: 1,
        'primal objective': 1202732.09,
        'dual objective': -1020000,
        'primal residual': 1100,
        'dual residual': 100,
        complementarity: 1000,
      },
      { nodes: 0, incumbent: 340, 'best bound': 174.3, gap: 48.7, seconds: 0 },
      { nodes: 0, incumbent: 229, 'best bound': 174.3, gap: 23.9, seconds: 0 },
      { nodes: 0, incumbent: 229, 'best bound': 175.25, gap: 23.5, seconds: 0 },
      { nodes: 164, incumbent: 226, 'best bound': 178, gap: 21.2, seconds: 1 },
      { nodes: 1066, incumbent: 226, 'best bound': 179, gap: 20.8, seconds: 5 },
    ],
  ],
  [
    'mip-solvers',
    `        Nodes      |    B&B Tree     |            Objective Bounds              |  Dynamic Constraints |       Work      
Src  Proc. InQueue |  Leaves   Expl. | BestBound       BestSol              Gap |   Cuts   InLp Confl. | LpIters     Time

         0       0         0   0.00%   -64              inf                  inf        0      0      0         0     0.0s
 S       0       0         0   0.00%   -64             -18              255.56%        0      0      0         0     0.0s
 L       0       0         0   0.00%   -31.5           -25               26.00%       12     10      0       120     0.1s
       150      20        60  12.50%   -29             -26               11.54%      112     30     40      5120     1.3s

Solving report`,
    [
      { nodes: 0, 'best bound': -64, seconds: 0 },
      { nodes: 0, 'best bound': -64, incumbent: -18, gap: 255.56, seconds: 0 },
      { nodes: 0, 'best bound': -31.5, incumbent: -25, gap: 26, seconds: 0.1 },
      { nodes: 150, 'best bound': -29, incumbent: -26, gap: 11.54, seconds: 1.3 },
    ],
  ],
  [
    'mip-solvers',
    ` time | node  | left  |LP iter|LP it/n|mem/heur|mdpt |vars |cons |rows |cuts |sepa|confs|strbr|  dualbound   | primalbound  |  gap   | compl. 
p 0.0s|     1 |     0 |     0 |     - |  locks|   0 |  50 |  31 |  31 |   0 |  0 |   0 |   0 |-1.265000e+05 | 0.000000e+00 |    Inf | unknown
  0.0s|     1 |     0 |    12 |     - |   805k |   0 |  50 |  31 |  31 |   0 |  0 |   0 |   0 |-2.390000e+04 |-2.170000e+04 |  10.14%| unknown
* 1.2s|   100 |    10 |  1200 |  12.0 |    LP  |  12 |  50 |  31 |  31 |  10 |  1 |   0 |   0 |-2.290000e+04 |-2.270000e+04 |   0.88%|  50.0%`,
    [
      { seconds: 0, nodes: 1, 'best bound': -126500, incumbent: 0 },
      { seconds: 0, nodes: 1, 'best bound': -23900, incumbent: -21700, gap: 10.14 },
      { seconds: 1.2, nodes: 100, 'best bound': -22900, incumbent: -22700, gap: 0.88 },
    ],
  ],
  [
    'mip-solvers',
    `Cbc0010I After 0 nodes, 1 on tree, 1e+50 best solution, best possible 174.3 (0.10 seconds)
Cbc0010I After 1000 nodes, 508 on tree, 226 best solution, best possible 178.5 (12.41 seconds)`,
    [
      { nodes: 0, 'best bound': 174.3 },
      { nodes: 1000, incumbent: 226, 'best bound': 178.5 },
    ],
  ],
  [
    'mip-solvers',
    `        Nodes                                         Cuts/
   Node  Left     Objective  IInf  Best Integer    Best Bound    ItCnt     Gap

      0     0      174.3000    59                    174.3000       60         
*     0+    0                          340.0000      174.3000             48.74%
      0     0      175.2500    59      340.0000     Cuts: 12      80   48.46%
    100    52      178.0000    30      229.0000      178.0000     900   22.27%`,
    [{ nodes: 100, incumbent: 229, 'best bound': 178, gap: 22.27 }],
  ],
];
