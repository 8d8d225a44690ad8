import type { Recording } from './recording.js';

/** Programs for molecules, and solvers: what they print besides rows, such as counts with colons, is no row either. */
export const CHEMISTRY_RECORDINGS: readonly Recording[] = [
  [
    'gaussian',
    ` Entering Gaussian System, Link 0=g99
 Requested convergence on             energy=1.00D-06.
 Cycle   1  Pass 0  IDiag  1:
 E= -10.500000000000
 DIIS: error= 1.88D-02 at cycle   1 NSaved=   1.
 Cycle   2  Pass 1  IDiag  1:
 E= -10.750000000000     Delta-E=       -0.250000000000 Rises=F Damp=F
 NSaved= 2 IEnMin= 2 EnMin= -10.75     IErMin= 2 ErrMin= 1.25D-02
 SCF Done:  E(RB+HF-LYP) =  -10.7500000000     A.U. after    2 cycles
 Iteration  1 RMS(Cart)=  0.13698561 RMS(Int)=  0.00323336
 Step number   3 out of a maximum of   20
         Item               Value     Threshold  Converged?
 Maximum Force            0.060000     0.000450     NO
 RMS     Force            0.012500     0.000300     NO
 Maximum Displacement     0.500000     0.001800     NO
 RMS     Displacement     0.000125     0.001200     YES
 Normal termination of Gaussian 99 at noon.
Trust Radius=3.00D-01`,
    [
      { iteration: 1, 'scf step': 1, 'total energy': -10.5 },
      { iteration: 2, 'scf step': 2, 'total energy': -10.75, 'Delta-E': -0.25 },
      { 'scf cycle': 1, 'converged energy': -10.75, iterations: 2 },
      {
        ...{ 'optimization step': 3, 'Maximum Force': 0.06, 'RMS Force': 0.0125, 'Maximum Displacement': 0.5 },
        'RMS Displacement': 0.000125,
      },
    ],
  ],
  [
    'psi4',
    `    Psi4: An Open-Source Ab Initio Electronic Structure Package
  Step 3: error: 0.25
                        Total Energy        Delta E     RMS |[F,P]|

   @DF-RKS iter SAD:  -9.00   -9.00e+00   0.00000e+00
   @DF-RKS iter   1:  -10.50   -1.50e+00   2.50e-03 ADIIS/DIIS
   @DF-RKS iter   2:  -10.75   -2.50e-01   1.25e-03 DIIS
   @DF-RKS iter   3:  -10.75   -0.00e+00   **** DIIS
  @DF-RKS Final Energy:  -10.75`,
    [
      { iteration: 1, 'scf step': 1, 'Total Energy': -10.5, 'Delta E': -1.5, 'RMS |[F,P]|': 0.0025 },
      { iteration: 2, 'scf step': 2, 'Total Energy': -10.75, 'Delta E': -0.25, 'RMS |[F,P]|': 0.00125 },
      { 'scf cycle': 1, 'converged energy': -10.75 },
    ],
  ],
  [
    'qchem',
    `                  Welcome to Q-Chem
 Optimization Cycle:   1
 Displacement from previous Coordinates is:  0.874745
  Cycle       Energy         DIIS error
 ---------------------------------------
    1     -10.5000000000      1.25e-01
    2     -10.7500000000      1.50e-09  Convergence criterion met
 ---------------------------------------
 Total energy in the final basis set =      -10.7500000000
        *  Thank you very much for using Q-Chem.  Have a nice day.  *`,
    [
      { iteration: 1, 'scf step': 1, Energy: -10.5, 'DIIS error': 0.125 },
      { iteration: 2, 'scf step': 2, Energy: -10.75, 'DIIS error': 1.5e-9 },
      { 'scf cycle': 1, 'converged energy': -10.75 },
    ],
  ],
  [
    'molpro',
    ` ITERATION    DDIFF          GRAD             ENERGY        2-EL.EN.            DIPOLE MOMENTS         DIIS   ORB.
    1      0.000D+00      0.000D+00      -10.50000000   1275.288544   -0.00000    0.00000   -0.00000    0    start
    2      0.500D-01      0.125D-01      -10.75000000   1234.968740    0.00000   -0.00000   -0.00000    1    diag

 !RKS STATE  1.1 Energy              -10.750000000000`,
    [
      { iteration: 1, 'scf step': 1, DDIFF: 0, GRAD: 0, ENERGY: -10.5 },
      { iteration: 2, 'scf step': 2, DDIFF: 0.05, GRAD: 0.0125, ENERGY: -10.75 },
      { 'scf cycle': 1, 'converged energy': -10.75 },
    ],
  ],
  [
    'dalton',
    ` *** Dalton - An Electronic Structure Program ***
 Iter     Total energy    Error norm  Delta(E)    SCF occupation
@  1  -10.500000000       4.00D+00  -1.05D+01    15   2  15   3
@      MULPOP C   _1  0.15; C   _2  0.15
@  2  -10.750000000       1.25D-01  -2.50D-01    15   2  15   3
@    Final DFT energy:            -10.750000000000
@    Final gradient norm:           0.000008132247
@   3      -10.750000    -0.000000     0.000062    0    0.000588*   0.500000   0`,
    [
      { iteration: 1, 'scf step': 1, 'Total energy': -10.5, 'Error norm': 4, 'Delta(E)': -10.5 },
      { iteration: 2, 'scf step': 2, 'Total energy': -10.75, 'Error norm': 0.125, 'Delta(E)': -0.25 },
      { 'scf cycle': 1, 'converged energy': -10.75 },
    ],
  ],
  [
    'xtb',
    ` iter      E             dE          RMSdq      gap      omega  full diag
   1    -10.5000000 -0.105000E+02  0.500E+00    3.33       0.0  T
   2    -10.7500000 -0.250000E+00  0.125E-02    3.25     435.5  F
     SCC iter.                  ...        0 min,  0.043 sec
 * total energy  :   -10.7500000 Eh     change       -0.6016592E-09 Eh`,
    [
      { iteration: 1, 'scf step': 1, E: -10.5, dE: -10.5, RMSdq: 0.5, gap: 3.33, omega: 0 },
      { iteration: 2, 'scf step': 2, E: -10.75, dE: -0.25, RMSdq: 0.00125, gap: 3.25, omega: 435.5 },
      { 'scf cycle': 1, 'converged energy': -10.75 },
    ],
  ],
  [
    'gpaw',
    `                     log10-error:    total        iterations:
           time      wfs    density  energy       poisson  magmom
iter:   1  15:04:05                -14.101233     1      +0.0000
iter:   2  15:04:06  -1.50  -0.80  -14.401233     1      +0.0000
iter:   3  15:04:07  -2.50c -1.80  -14.501233c    1      +0.0000
Free energy:    -14.502000
Extrapolated:   -14.501500`,
    [
      { iteration: 1, 'scf step': 1, energy: -14.101233 },
      { iteration: 2, 'scf step': 2, energy: -14.401233, 'log10 wfs error': -1.5, 'log10 density error': -0.8 },
      { iteration: 3, 'scf step': 3, energy: -14.501233, 'log10 wfs error': -2.5, 'log10 density error': -1.8 },
      { 'scf cycle': 1, 'converged energy': -14.5015 },
    ],
  ],
  [
    'fhi-aims',
    `------------------------------------------------------------
          Begin self-consistency iteration #    1

  Total energy components:
  | Sum of eigenvalues            :         -18.75414137 Ha        -510.32615312 eV
  | Total energy                  :         -75.92720345 Ha       -2066.08433621 eV

  Self-consistency convergence accuracy:
  | Change of charge density      :  0.1523E+01
  | Change of sum of eigenvalues  :  0.1534E+02 eV
  | Change of total energy        : -0.1203E+00 eV

          Begin self-consistency iteration #    2
  | Total energy                  :         -75.92920345 Ha       -2066.13433621 eV
  | Change of charge density      :  0.1523E+00
  | Change of sum of eigenvalues  :  0.1534E+00 eV
  | Change of total energy        : -0.1203E-02 eV
  Self-consistency cycle converged.
  | Total energy of the DFT / Hartree-Fock s.c.f. calculation      :          -2066.134336210 eV`,
    [
      {
        iteration: 1,
        'scf step': 1,
        'total energy': -2066.08433621,
        'Change of charge density': 1.523,
        'Change of sum of eigenvalues': 15.34,
        'Change of total energy': -0.1203,
      },
      {
        iteration: 2,
        'scf step': 2,
        'total energy': -2066.13433621,
        'Change of charge density': 0.1523,
        'Change of sum of eigenvalues': 0.1534,
        'Change of total energy': -0.001203,
      },
      { 'scf cycle': 1, 'converged energy': -2066.13433621 },
    ],
  ],
  [
    'petsc',
    `0 TS dt 0.5 time 0.
    0 SNES Function norm 2.5e-01
      0 KSP Residual norm 1.5e+00
      1 KSP Residual norm 1.25e-03
      2 KSP Residual norm < 1.e-11
    Linear solve converged due to CONVERGED_RTOL iterations 1
      Residual norms for a_(b) solve.
      0 KSP preconditioned resid norm 2.5e+00 true resid norm 7.5e-01 ||r(i)||/||b|| 1.000000000000e+00
    1 SNES Function norm 5.0e-08
Main iteration 7 KSP Residual norm 0.5
The solver took 3 KSP iterations`,
    [
      { step: 0, dt: 0.5, time: 0 },
      { iteration: 0, 'snes step': 1, 'SNES Function norm': 0.25 },
      { iteration: 0, 'ksp step': 1, 'KSP Residual norm': 1.5 },
      { iteration: 1, 'ksp step': 2, 'KSP Residual norm': 0.00125 },
      {
        ...{ iteration: 0, 'ksp step': 3, 'KSP preconditioned resid norm': 2.5, 'true resid norm': 0.75 },
        '||r(i)||/||b||': 1,
      },
      { iteration: 1, 'snes step': 2, 'SNES Function norm': 5e-8 },
      { iteration: 7, 'ksp step': 4, 'KSP Residual norm': 0.5 },
    ],
  ],
  [
    'mitgcm',
    `(PID.TID 0000.0001) // Begin MONITOR Model grid statistics
(PID.TID 0000.0001) %MON XC_max                       =   3.9750000000000E+05
(PID.TID 0000.0001) // End MONITOR Model grid statistics
(PID.TID 0000.0001) // Begin MONITOR dynamic field statistics
(PID.TID 0000.0001) // =======
(PID.TID 0000.0001) %MON time_tsnumber                =                     5
(PID.TID 0000.0001) %MON time_secondsf                =   6.0000000000000E+03
(PID.TID 0000.0001) %MON dynstat_eta_max              =   1.2500000000000E-01
(PID.TID 0000.0001) %MON dynstat_eta_mean             =  *********************
(PID.TID 0000.0001) // End MONITOR dynamic field statistics`,
    [{ time_tsnumber: 5, time_secondsf: 6000, dynstat_eta_max: 0.125 }],
  ],
];
