import { CHEMISTRY_RECORDINGS } from './chemistry-recordings.js';
import type { Recording } from './recording.js';
import { SOLVER_RECORDINGS } from './solver-recordings.js';

/** What simulations print, in the form of their sources, and the rows in it. */
export const SIMULATION_RECORDINGS: readonly Recording[] = [
  [
    'gromacs',
    `           Step           Time
             10        0.02000

   Energies (kJ/mol)
           Bond          Angle    Proper Dih.
    4.48492e+01    3.83396e+01    1.00394e+00
      Potential  Conserved En. Pressure (bar)
   -3.65359e+04   -1.30901e+06    6.15632e+02

           Step           Time
             20        0.04000
Writing checkpoint, step 20 at Wed Apr 14`,
    [
      {
        ...{ Step: 10, Time: 0.02, Bond: 44.8492, Angle: 38.3396, 'Proper Dih.': 1.00394 },
        ...{ Potential: -36535.9, 'conserved En.': -1309010, 'Pressure (bar)': 615.632 },
      },
    ],
  ],
  [
    'lammps',
    `   Step          Temp          TotEng
         0   2.4            3.5982422
WARNING: Inconsistent image flags
      1000   2.4062763      0.32347785
Loop time of 6.96708 on 4 procs for 20000 steps with 2048 atoms
      2000   2.4            3.5
---------------- Step        0 ----- CPU =      0.0000 (sec) ----------------
TotEng   =        -4.6218 KinEng   =         1.5000 Temp     =         1.0000
Loop time of 1 on 1 procs`,
    [
      { Step: 0, Temp: 2.4, TotEng: 3.5982422 },
      { Step: 1000, Temp: 2.4062763, TotEng: 0.32347785 },
      { Step: 0, CPU: 0, TotEng: -4.6218, KinEng: 1.5, Temp: 1 },
    ],
  ],
  [
    'amber',
    ` NSTEP =     1000   TIME(PS) =     995.000  TEMP(K) =   292.50  PRESS =     0.0
 Etot   =   -334631.2500  EKtot   =     77026.5000  EPtot      =   -411657.7500
 1-4 NB =      3890.2500  1-4 EEL =     32796.5000  VDWAALS    =     50781.5000
 EAMBER (non-restraint)  =   -417104.7500
 ------------------------------------------------------------------------------
| MC Barostat: Decreasing size of volume moves
   NSTEP       ENERGY          RMS            GMAX         NAME    NUMBER
      1      -2.5000E+03     2.0000E+01     1.2500E+02     C12       345

 BOND    =       63.5000  ANGLE   =      118.2500  DIHED      =   **********

      A V E R A G E S   O V E R    1000 S T E P S
 NSTEP =     1000   TIME(PS) =     995.000  TEMP(K) =   292.50  PRESS =     0.0
 Etot   =   -334631.2500  EKtot   =     77026.5000  EPtot      =   -411657.7500
 ------------------------------------------------------------------------------`,
    [
      {
        ...{ NSTEP: 1000, 'TIME(PS)': 995, 'TEMP(K)': 292.5, PRESS: 0, Etot: -334631.25, EKtot: 77026.5 },
        ...{ EPtot: -411657.75, '1-4 NB': 3890.25, '1-4 EEL': 32796.5, VDWAALS: 50781.5 },
        'EAMBER (non-restraint)': -417104.75,
      },
      { NSTEP: 1, ENERGY: -2500, RMS: 20, GMAX: 125, BOND: 63.5, ANGLE: 118.25 },
    ],
  ],
  [
    'namd',
    `ETITLE:      TS           BOND          ANGLE

ENERGY:       0          20.5          10.25
TIMING: 20  CPU: 1.25, 0.05/step  Wall: 1.25, 0.05/step, 0 hours remaining, 0 MB of memory in use.
ENERGY:      20          19.5          -1.25`,
    [
      { TS: 0, BOND: 20.5, ANGLE: 10.25 },
      { TS: 20, BOND: 19.5, ANGLE: -1.25 },
    ],
  ],
  [
    'openfoam',
    `GAMG:  Solving for p, Initial residual = 0, Final residual = 0, No Iterations 0
Courant Number mean: 0.1 max: 0.2
deltaT = 0.0001
Time = 0.005

smoothSolver:  Solving for Ux, Initial residual = 0.5, Final residual = 1e-06, No Iterations 2
GAMG:  Solving for p, Initial residual = 1, Final residual = 0.003, No Iterations 3
GAMG:  Solving for p, Initial residual = 0.25, Final residual = 0.003, No Iterations 3
time step continuity errors : sum local = 1e-15, global = 2e-17, cumulative = 3e-17
ExecutionTime = 0.41 s  ClockTime = 0 s

Qdot = 1, T = 2
Time = 0.01
Qdot = -1005.5, T = 1000, p = 1.25e+06, CH4 = 0.0625
min/max(T) = 293, 2000.5
rho max/min : 1.25 0.5
Phase-1 volume fraction = 0.5  Min(alpha.water) = 0  Max(alpha.water) = 1
the model = 3 of them
ExecutionTime = 0.5 s  ClockTime = 0 s`,
    [
      {
        ...{ 'courant mean': 0.1, 'courant max': 0.2, deltaT: 0.0001, Time: 0.005, 'Ux initial residual': 0.5 },
        ...{ 'p initial residual': 1, 'continuity error local': 1e-15, 'continuity error global': 2e-17 },
        ...{ 'continuity error cumulative': 3e-17, 'execution time': 0.41 },
      },
      {
        ...{ Time: 0.01, Qdot: -1005.5, T: 1000, p: 1.25e6, CH4: 0.0625, 'T min': 293, 'T max': 2000.5 },
        ...{ 'rho max': 1.25, 'rho min': 0.5, 'Phase-1 volume fraction': 0.5, 'Min(alpha.water)': 0 },
        ...{ 'Max(alpha.water)': 1, 'execution time': 0.5 },
      },
    ],
  ],
  [
    'wrf',
    `d01 2023-01-01_00:00:00  call rk_step_prep
Timing for main: time 2023-01-01_00:00:36 on domain   1:   29.50000 elapsed seconds
Timing for main: time 2023-01-01_00:01:12 on domain   1:    0.25000 elapsed seconds
Timing for main: time 2023-01-01_00:00:48 on domain   2:    0.12500 elapsed seconds
Timing for Writing wrfout_d01_2023-01-01_00:00:00 for domain        1:   12.94459 elapsed seconds
 Begin timestep 2023-01-01_01:00:36

 global min, max w -1.25 1.5
 global min, max u -89.25 89.5
 Timing for integration step: 1.0625 s`,
    [
      { 'model hours': 0, 'domain 1 seconds': 29.5 },
      { 'model hours': 0.01, 'domain 1 seconds': 0.25 },
      { 'model hours': 0.003333, 'domain 2 seconds': 0.125 },
      { 'model hours': 1, 'w min': -1.25, 'w max': 1.5, 'u min': -89.25, 'u max': 89.5, seconds: 1.0625 },
    ],
  ],
  [
    'vasp',
    `       N       E                     dE             d eps       ncg     rms          rms(c)
DAV:   1     0.125000000000E+04    0.12500E+04   -0.37107E+04  6560   0.721E+02
DAV:   2    -0.205000000000E+03   -0.25000E+00   -0.25000E+00  8032   0.364E+00    0.278E+01
   1 F= -.20500000E+03 E0= -.20400000E+03  d E =-.205000E+03
DAV:   1    -0.206000000000E+03   -0.25000E+00   -0.25000E+00  8032   0.364E+00    0.278E+01
   2 F= -.20600000E+03 E0= -.20550000E+03  d E =-.100000E+01  mag=     0.5000`,
    [
      { 'electronic step': 1, 'ionic step': 1, N: 1, E: 1250, dE: 1250, 'd eps': -3710.7, ncg: 6560, rms: 72.1 },
      {
        ...{ 'electronic step': 2, 'ionic step': 1, N: 2, E: -205, dE: -0.25, 'd eps': -0.25, ncg: 8032, rms: 0.364 },
        'rms(c)': 2.78,
      },
      { 'ionic step': 1, F: -205, E0: -204, dE: -205 },
      {
        ...{ 'electronic step': 3, 'ionic step': 2, N: 1, E: -206, dE: -0.25, 'd eps': -0.25, ncg: 8032, rms: 0.364 },
        'rms(c)': 2.78,
      },
      { 'ionic step': 2, F: -206, E0: -205.5, dE: -1, mag: 0.5 },
    ],
  ],
  [
    'quantum-espresso',
    `     iteration #  1     ecut=    40.00 Ry     beta= 0.40
     Davidson diagonalization with overlap
     ethr =  4.02E-03,  avg # of iterations =  2.0

     total energy              =    -111.50000000 Ry
     estimated scf accuracy    <       0.02500000 Ry
     iteration #  2     ecut=    40.00 Ry     beta= 0.40
!    total energy              =    -111.75000000 Ry
     estimated scf accuracy    <       0.00000050 Ry
     iteration #  1     ecut=    40.00 Ry     beta= 0.40
     total energy              =    -111.80000000 Ry
     estimated scf accuracy    <       0.00100000 Ry`,
    [
      { iteration: 1, 'scf step': 1, 'total energy': -111.5, 'scf accuracy': 0.025 },
      { 'scf cycle': 1, 'converged energy': -111.75 },
      { iteration: 2, 'scf step': 2, 'total energy': -111.75, 'scf accuracy': 5e-7 },
      { iteration: 1, 'scf step': 3, 'total energy': -111.8, 'scf accuracy': 0.001 },
    ],
  ],
  [
    'cp2k',
    `  Step     Update method      Time    Convergence         Total energy    Change
  ------------------------------------------------------------------------------
     1 OT DIIS     0.80E-01    0.5     0.50000000       -17.1250000000 -1.71E+01
     2 Broy./Diag. 0.10E+00   99.5   116.25000000       -17.2500000000 -4.65E+00

 ENERGY| Total FORCE_EVAL ( QS ) energy [a.u.]:              -17.500000000000000
     3 things 1 2 3 4.5 6`,
    [
      {
        ...{ iteration: 1, 'scf step': 1, time: 0.5, convergence: 0.5, 'total energy': -17.125, change: -17.1 },
      },
      {
        ...{ iteration: 2, 'scf step': 2, time: 99.5, convergence: 116.25, 'total energy': -17.25, change: -4.65 },
      },
      { 'scf cycle': 1, 'converged energy': -17.5 },
    ],
  ],
  [
    'siesta',
    `        iscf     Eharris(eV)        E_KS(eV)     FreeEng(eV)     dDmax    Ef(eV) dHmax(eV)
   scf:    1     -465.750000     -465.500000     -465.500000  0.937500 -4.250000  6.500000
timer: Routine,Calls,Time,% = IterSCF        1       1.139  15.90
   scf:    2     -466.750000     -466.500000     -466.500000  0.062500 -4.125000  0.500000
siesta: E_KS(eV) =             -466.5000
   scf:    1     -466.250000     -466.250000     -466.250000  0.031250 -4.125000  0.250000`,
    [
      {
        ...{ iteration: 1, 'scf step': 1, 'Eharris(eV)': -465.75, 'E_KS(eV)': -465.5, 'FreeEng(eV)': -465.5 },
        ...{ dDmax: 0.9375, 'Ef(eV)': -4.25, 'dHmax(eV)': 6.5 },
      },
      {
        ...{ iteration: 2, 'scf step': 2, 'Eharris(eV)': -466.75, 'E_KS(eV)': -466.5, 'FreeEng(eV)': -466.5 },
        ...{ dDmax: 0.0625, 'Ef(eV)': -4.125, 'dHmax(eV)': 0.5 },
      },
      { 'scf cycle': 1, 'converged energy': -466.5 },
      {
        ...{ iteration: 1, 'scf step': 3, 'Eharris(eV)': -466.25, 'E_KS(eV)': -466.25, 'FreeEng(eV)': -466.25 },
        ...{ dDmax: 0.03125, 'Ef(eV)': -4.125, 'dHmax(eV)': 0.25 },
      },
    ],
  ],
  [
    'abinit',
    `     iter   Etot(hartree)      deltaE(h)  residm     vres2
 ETOT  1  -8.8750000000000    -8.875E+00 2.500E-03 1.250E+01
 ETOT  2  -8.9375000000000    -6.250E-02 1.250E-08 5.000E-01
 ETOT is converged
 >>>>>>>>> Etotal= -8.93750000000000E+00`,
    [
      { iteration: 1, 'scf step': 1, 'Etot(hartree)': -8.875, 'deltaE(h)': -8.875, residm: 0.0025, vres2: 12.5 },
      { iteration: 2, 'scf step': 2, 'Etot(hartree)': -8.9375, 'deltaE(h)': -0.0625, residm: 1.25e-8, vres2: 0.5 },
      { 'scf cycle': 1, 'converged energy': -8.9375 },
    ],
  ],
  [
    'nwchem',
    `              iter       energy          gnorm     gmax       time
             ----- ------------------- --------- --------- --------
                 1      -75.5000000000  9.50D-01  3.75D-01      0.2
                 2      -75.7500000000  2.50D-02  6.25D-03      0.3

       1    0.5000  2.0000 table of the vectors
       Total SCF energy =    -75.750000000000
   convergence    iter        energy       DeltaE   RMS-Dens  Diis-err    time
 ---------------- ----- ----------------- --------- --------- ---------  ------
 d= 0,ls=0.0,diis     1    -76.2500000000 -8.50D+01  3.50D-02  3.75D-01     0.3
 d= 0,ls=0.0,diis     2    -76.3750000000 -1.25D-01  1.25D-03  6.25D-02     0.5`,
    [
      { iteration: 1, 'scf step': 1, energy: -75.5, gnorm: 0.95, gmax: 0.375, time: 0.2 },
      { iteration: 2, 'scf step': 2, energy: -75.75, gnorm: 0.025, gmax: 0.00625, time: 0.3 },
      { 'scf cycle': 1, 'converged energy': -75.75 },
      ...[
        { iteration: 1, 'scf step': 3, energy: -76.25, DeltaE: -85, 'RMS-Dens': 0.035, 'Diis-err': 0.375, time: 0.3 },
        {
          iteration: 2,
          'scf step': 4,
          energy: -76.375,
          DeltaE: -0.125,
          'RMS-Dens': 0.00125,
          'Diis-err': 0.0625,
          time: 0.5,
        },
      ],
    ],
  ],
  [
    'gamess',
    ` ITER EX DEM     TOTAL ENERGY        E CHANGE  DENSITY CHANGE    DIIS ERROR
   1  0  0      -75.5000000000   -75.5000000000   0.625000000   0.000000000
          * * *   INITIATING DIIS PROCEDURE   * * *
   2  1  0      -75.7500000000    -0.2500000000   0.125000000   0.062500000

   1  0  0      -75.5000000000   -75.5000000000   0.625000000
 FINAL RHF ENERGY IS      -75.7500000000 AFTER   2 ITERATIONS
 ITER EX     TOTAL ENERGY        E CHANGE  DENSITY CHANGE     ORB. GRAD
   1  0      -75.8750000000   -75.8750000000   0.250000000   0.000000000`,
    [
      {
        iteration: 1,
        'scf step': 1,
        'TOTAL ENERGY': -75.5,
        'E CHANGE': -75.5,
        'DENSITY CHANGE': 0.625,
        'DIIS ERROR': 0,
      },
      {
        iteration: 2,
        'scf step': 2,
        'TOTAL ENERGY': -75.75,
        'E CHANGE': -0.25,
        'DENSITY CHANGE': 0.125,
        'DIIS ERROR': 0.0625,
      },
      { 'scf cycle': 1, 'converged energy': -75.75 },
      {
        iteration: 1,
        'scf step': 3,
        'TOTAL ENERGY': -75.875,
        'E CHANGE': -75.875,
        'DENSITY CHANGE': 0.25,
        'ORB. GRAD': 0,
      },
    ],
  ],
  [
    'orca',
    `ITER       Energy         Delta-E        Max-DP      RMS-DP      [F,P]     Damp
               ***  Starting incremental Fock matrix formation  ***
  0    -75.5000000000   0.000000000000 0.06250000  0.00250000  0.2500000 0.7000
  1    -75.6250000000  -0.125000000000 0.03125000  0.00125000  0.1250000 0.7000
                               ***Turning on DIIS***
  2    -75.7500000000  -0.125000000000 0.01250000  0.00062500  0.0625000 0.0000
ITER      Energy       Delta-E        Grad      Rot      Max-DP    RMS-DP
  3    -75.8750000000  -0.125000  0.000625  0.000500  0.001250   0.000125

  4    -0.5 0.25 0.125
FINAL SINGLE POINT ENERGY       -75.875000000000
Iteration    Energy (Eh)           Delta-E    RMSDP     MaxDP     DIISErr   Damp  Time(sec)
    1    -76.0000000000000000     0.00e+00  2.50e-03  5.00e-02  1.25e-01  0.700   0.5`,
    [
      ...[
        {
          iteration: 0,
          'scf step': 1,
          Energy: -75.5,
          'Delta-E': 0,
          'Max-DP': 0.0625,
          'RMS-DP': 0.0025,
          '[F,P]': 0.25,
          Damp: 0.7,
        },
        {
          iteration: 1,
          'scf step': 2,
          Energy: -75.625,
          'Delta-E': -0.125,
          'Max-DP': 0.03125,
          'RMS-DP': 0.00125,
          '[F,P]': 0.125,
          Damp: 0.7,
        },
        {
          iteration: 2,
          'scf step': 3,
          Energy: -75.75,
          'Delta-E': -0.125,
          'Max-DP': 0.0125,
          'RMS-DP': 0.000625,
          '[F,P]': 0.0625,
          Damp: 0,
        },
        {
          iteration: 3,
          'scf step': 4,
          Energy: -75.875,
          'Delta-E': -0.125,
          Grad: 0.000625,
          Rot: 0.0005,
          'Max-DP': 0.00125,
          'RMS-DP': 0.000125,
        },
      ],
      { 'scf cycle': 1, 'converged energy': -75.875 },
      {
        iteration: 1,
        'scf step': 5,
        'Energy (Eh)': -76,
        'Delta-E': 0,
        RMSDP: 0.0025,
        MaxDP: 0.05,
        DIISErr: 0.125,
        Damp: 0.7,
        'Time(sec)': 0.5,
      },
    ],
  ],
  ...CHEMISTRY_RECORDINGS,
  [
    'star',
    `           Time    Speed        Read     Read   Mapped   Mapped   Mapped   Mapped Unmapped Unmapped Unmapped Unmapped
                    M/hr      number   length   unique   length   MMrate    multi   multi+       MM    short    other
Jul 20 10:00:00    125.5     2000000      150    87.5%    148.5     0.5%     5.0%     0.1%     0.0%     6.5%     0.9%
ALL DONE!`,
    [
      {
        ...{ 'Speed M/hr': 125.5, 'Read number': 2000000, 'Read length': 150, 'Mapped unique': 87.5 },
        ...{ 'Mapped length': 148.5, 'Mapped MMrate': 0.5, 'Mapped multi': 5, 'Unmapped multi+': 0.1 },
        ...{ 'Unmapped MM': 0, 'Unmapped short': 6.5, 'Unmapped other': 0.9 },
      },
    ],
  ],
  [
    'mrbayes',
    `      Chain results (1000000 generations requested):

         0 -- (-7723.459) (-7741.138) (-7743.102) [-7730.456] * [-7746.312] (-7732.011) 
      1000 -- (-7005.971) [-6994.893] (-7001.612) (-7010.704) * (-6997.520) [-6992.1] -- 0:33:18

      Average standard deviation of split frequencies: 0.012345`,
    [
      { generation: 0, 'lnL of run 1': -7730.456, 'lnL of run 2': -7746.312 },
      { generation: 1000, 'lnL of run 1': -6994.893, 'lnL of run 2': -6992.1 },
    ],
  ],
  ...SOLVER_RECORDINGS,
  [
    'flower',
    `INFO :      [ROUND 1]
INFO :      fit progress: (1, 2.5, {'cen (acc)': 0.25}, 10.5)
INFO flwr 2024-01-01 10:00:00,000 | server.py:125 | fit progress: (2, 1.5, {}, 20.25)
INFO :      	History (loss, distributed):
INFO :      		round 1: 0.75
INFO :      		'	round 2: 0.5
INFO :      	'History (metrics, distributed, fit):
INFO :      	{'acc': [(2, 0.75),
INFO :      	         (3, 8.5e-01)],
INFO :      	 'a "b" (c)': [(3, 7)]}
INFO :      	History (metrics, centralized):
INFO :      	{'f1-(x)': [(0, 0.5), (1, 0.25)]}
INFO :      	{'f1': [(0, 0.5),
INFO :      	        (1, nan),
INFO :      	        (2, [0.5])]}
INFO :      other: (3, 0.5),`,
    [
      { round: 1, loss: 2.5, 'cen (acc)': 0.25, time: 10.5 },
      { round: 2, loss: 1.5, time: 20.25 },
      { round: 1, 'distributed loss': 0.75 },
      { round: 2, 'distributed loss': 0.5 },
      { round: 2, 'distributed fit acc': 0.75 },
      { round: 3, 'distributed fit acc': 0.85 },
      { round: 0, 'centralized f1': 0.5 },
      { round: 1, 'centralized f1': 'NaN' },
    ],
  ],
  [
    'kaldi',
    `LOG (nnet3-chain-train[5.5.103~1-34cc4e]:PrintStatsForThisPhase():nnet-training.cc:299) Average objective function for 'output' for minibatches 0-99 is -0.223 over 148480 frames.
LOG (nnet3-chain-train[5.5.103~1-34cc4e]:PrintStatsForThisPhase():nnet-training.cc:299) Average objective function for 'output-xent' for minibatches 0-99 is -2.823 + -0.01 = -2.833 over 148480 frames.`,
    [
      { minibatch: 99, 'objective of output': -0.223 },
      { minibatch: 99, 'objective of output-xent': -2.833 },
    ],
  ],
];
