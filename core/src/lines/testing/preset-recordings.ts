import type { PresetName } from '../metadata-kind.js';

export type Rows = readonly Readonly<Record<string, number | string>>[];

/** What each program prints, in the form of its sources, and the rows in it. */
export const RECORDINGS: readonly (readonly [preset: PresetName, text: string, rows: Rows])[] = [
  [
    'hugging-face',
    `{'loss': 0.6931, 'grad_norm': 1.5, 'learning_rate': 5e-05, 'epoch': 0.1}
 20%|██        | 2/10 [00:01<00:04,  1.9it/s]{'loss': '0.5', 'learning_rate': '4e-05', 'epoch': '0.2'}
{'eval_loss': nan, 'epoch': 0.2}
the config is {'loss': 1}
{'some': 'dict'}`,
    [
      { loss: 0.6931, grad_norm: 1.5, learning_rate: 5e-5, epoch: 0.1 },
      { loss: 0.5, learning_rate: 4e-5, epoch: 0.2 },
      { eval_loss: 'NaN', epoch: 0.2 },
    ],
  ],
  [
    'keras',
    `Epoch 1/2
10/10 [==============================] - 13s 1s/step - loss: 0.9378 - accuracy: 0.5724 - val_loss: 0.5133
Epoch 2/2
10/10 ━━━━━━━━━━━━━━━━━━━━ 1s 10ms/step - accuracy: 0.9 - loss: 1.0000e-01
 5/10 [=====>......] - ETA: 4s - loss: 0.8
10/10 - 1s - loss: 0.3 - 1s/epoch - 100ms/step`,
    [
      { epoch: 1, loss: 0.9378, accuracy: 0.5724, val_loss: 0.5133 },
      { epoch: 2, accuracy: 0.9, loss: 0.1 },
      { loss: 0.3 },
    ],
  ],
  [
    'yolo',
    `      Epoch    GPU_mem   box_loss   cls_loss  Instances       Size
        1/3      2.85G      1.234       0.9         12        640: 100% ━━━━ 85/85 3.1it/s 27.4s
                 Class     Images  Instances      Box(P          R      mAP50  mAP50-95): 100% ━━━━ 4/4 2.0it/s
                   all        240        218      0.988      0.972      0.993      0.898
                   cat        240         18      0.9        0.9        0.9        0.8`,
    [
      { epoch: 1, GPU_mem: 2.85, box_loss: 1.234, cls_loss: 0.9, Instances: 12, Size: 640 },
      { epoch: 1, Images: 240, Instances: 218, P: 0.988, R: 0.972, mAP50: 0.993, 'mAP50-95': 0.898 },
    ],
  ],
  [
    'detectron2',
    `[04/12 10:00:00 d2.utils.events]:  eta: 0:10:00  iter: 19  total_loss: 1.25  time: 0.2012  lr: 0.0002  max_mem: 2000M
{"iteration": 19, "total_loss": 1.25}`,
    [
      { iter: 19, total_loss: 1.25, time: 0.2012, lr: 0.0002, max_mem: 2000 },
      { iteration: 19, total_loss: 1.25 },
    ],
  ],
  [
    'mm',
    `2022-04-08 18:41:00,389 - mmseg - INFO - Iter [50/160000]  lr: 9.997e-03, eta: 15:00:00, time: 0.663, loss: 1.5
2022-04-08 18:41:00,389 - mmdet - INFO - Epoch [2][50/100] lr: 1e-2, eta: 1:00:00, memory: 5700, loss: 1.25
04/12 10:00:00 - mmengine - INFO - Epoch(train)  [1][ 50/100]  lr: 1.0e-02  eta: 0:10:00  loss: 1.2
04/12 10:00:00 - mmengine - INFO - Epoch(val) [1][64/64]    aAcc: 98.5  mIoU: 92.0
{"mode": "train", "epoch": 1, "iter": 10, "lr": 0.01, "loss": 1.5}
Epoch [1/10], Step [2/3], loss: 4`,
    [
      { iter: 50, lr: 0.009997, time: 0.663, loss: 1.5 },
      { epoch: 1.5, iter: 50, lr: 0.01, memory: 5700, loss: 1.25 },
      { epoch: 0.5, iter: 50, lr: 0.01, loss: 1.2 },
      { epoch: 1, aAcc: 98.5, mIoU: 92 },
      { mode: 'train', epoch: 1, iter: 10, lr: 0.01, loss: 1.5 },
    ],
  ],
  [
    'fairseq',
    `[2022-04-08 18:48:05,372][train_inner][INFO] - {"epoch": 1, "update": 0.416, "loss": "9.276", "lr": "3.125e-06"}
2022-04-08 18:48:05 | INFO | valid | epoch 001 | valid on 'valid' subset | loss 5.25 | ppl 38.1
2022-04-08 18:48:05 | INFO | train_inner | epoch 002:    100 / 1000 loss=5.1, ppl=34.2, wps=1000
2022-04-08 18:48:05 | INFO | fairseq.trainer | begin training epoch 1`,
    [
      { epoch: 1, update: 0.416, loss: 9.276, lr: 3.125e-6 },
      { epoch: 1, valid_loss: 5.25, valid_ppl: 38.1 },
      { epoch: 1.1, loss: 5.1, ppl: 34.2, wps: 1000 },
    ],
  ],
  [
    'megatron',
    ` iteration       10/ 9155273 | consumed samples:          480 | elapsed time per iteration (ms): 2738.2 | lm loss: 1.097439E+01 |
 validation loss at iteration 100 | lm loss value: 8.172013E+00 | lm loss PPL: 3.540465E+03 |
[2024-03-04 10:04:08,424] [INFO] [logging.py:96:log_dist] [Rank 0] step=10, skipped=0, lr=[2.8e-07, 2.8e-07], mom=[(0.9, 0.95)]
[2024-03-04 10:04:08,542] [INFO] [timer.py:215:stop] epoch=0/micro_step=10/global_step=10, RunningAvgSamplesPerSec=86.3, MemAllocated=2.63GB`,
    [
      { iteration: 10, 'samples consumed': 480, 'elapsed time per iteration (ms)': 2738.2, 'lm loss': 10.97439 },
      { iteration: 100, 'validation lm loss value': 8.172013, 'validation lm loss PPL': 3540.465 },
      { step: 10, 'steps skipped': 0, lr: 2.8e-7 },
      { step: 10, RunningAvgSamplesPerSec: 86.3, MemAllocated: 2.63 },
    ],
  ],
  [
    'lightning',
    `Epoch 1: 100%|██████████| 10/10 [00:01<00:00,  9.9it/s, v_num=3, train_loss=0.125, val_acc=0.9]
[12/09/24 14:03:31] INFO   Epoch 0: v_recons 4.545e-01  loss 5.362e+0  v_t2m/R01 1.32%
Epoch 2/9 ━━━━━━━━━━━━━━━━ 5/10 0:00:01 • 0:00:00 12.3it/s v_num: 0.000 loss: 0.5`,
    [
      { epoch: 2, train_loss: 0.125, val_acc: 0.9 },
      { epoch: 0, v_recons: 0.4545, loss: 5.362, 'v_t2m/R01': 1.32 },
      { epoch: 2.5, loss: 0.5 },
    ],
  ],
  [
    'xgboost',
    `[2]     train-rmse:7.041309     validation-rmse:7.026684 
[10:22:33] [3]	train-logloss:0.5+0.01
[1]	training's l2: 0.25	valid_1's auc: 0.75
0:      learn: 0.6931   test: 0.6932    best: 0.6932 (0)        total: 50ms     remaining: 1m
[1] see the note below: 5 things`,
    [
      { iteration: 2, 'train-rmse': 7.041309, 'validation-rmse': 7.026684 },
      { iteration: 3, 'train-logloss': 0.5 },
      { iteration: 1, "training's l2": 0.25, "valid_1's auc": 0.75 },
      { iteration: 0, learn: 0.6931, test: 0.6932, best: 0.6932 },
    ],
  ],
  [
    'stable-baselines',
    `Using cpu device
----------------------------------
| rollout/            |          |
|    ep_rew_mean      | 23.5     |
| time/               |          |
|    total_timesteps  | 2048     |
----------------------------------
| loss | 0.5 |
| a | table | of | words |
-----------------`,
    [{ 'rollout/ep_rew_mean': 23.5, 'time/total_timesteps': 2048 }],
  ],
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
    'openfoam',
    `GAMG:  Solving for p, Initial residual = 0, Final residual = 0, No Iterations 0
Courant Number mean: 0.1 max: 0.2
deltaT = 0.0001
Time = 0.005

smoothSolver:  Solving for Ux, Initial residual = 0.5, Final residual = 1e-06, No Iterations 2
GAMG:  Solving for p, Initial residual = 1, Final residual = 0.003, No Iterations 3
GAMG:  Solving for p, Initial residual = 0.25, Final residual = 0.003, No Iterations 3
time step continuity errors : sum local = 1e-15, global = 2e-17, cumulative = 3e-17
ExecutionTime = 0.41 s  ClockTime = 0 s`,
    [
      {
        ...{ 'courant mean': 0.1, 'courant max': 0.2, deltaT: 0.0001, Time: 0.005, 'Ux initial residual': 0.5 },
        ...{ 'p initial residual': 1, 'continuity error local': 1e-15, 'continuity error global': 2e-17 },
        ...{ 'continuity error cumulative': 3e-17, 'execution time': 0.41 },
      },
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
    'epochs',
    `(Worker pid=12) time: 1591830576.25, epoch: 0, batch: 20, train loss: 0.5
Epoch 5 @ 12:10 AM : 0.9643 C.E. Loss, 97.09% Accuracy
23-05-05 21:26:52.413 - INFO: [epoch:  0, iter:   7,700, lr:(2.000e-04,)] l_pix: 4.25e-02
step 14900: timed with pme grid 28 28 28, coulomb cutoff 1.200: 68.0 M-cycles
 step:   2.1060(harm=  2.4866)  dis= 0.01771`,
    [
      { time: 1591830576.25, 'whole epoch': 0, batch: 20, 'steps in all': 20, 'train loss': 0.5 },
      { epoch: 5, 'C.E. Loss': 0.9643, Accuracy: 97.09 },
      { 'whole epoch': 0, iter: 7700, 'steps in all': 7700, lr: 0.0002, l_pix: 0.0425 },
    ],
  ],
  [
    'epochs',
    `STEPS: 3000
LOSS_WEIGHT: 1.5
Starting training from iteration 0
start loss: 9.5
2024-01-01 10:00:00,000 - INFO - Epoch 1/20
Training: 100%|██████████| 4/4 [00:00<00:00,  5.07it/s]2024-01-01 10:00:01,000 - INFO - Train Loss: 1.25, Train Acc: 70.5%
2024-01-01 10:00:02,000 - INFO - Wrote 3 files
Step 5/10 loss: 0.5 | GPU Mem (GB): 5.25
2024-01-01 10:00:03.343	node-fin-02:0	olmo.train:979	INFO	[step=5/2500,epoch=0]
    train/CrossEntropyLoss=7.625
    train/Perplexity=2,085
    System/Peak GPU Memory (MB)=38,869`,
    [
      { epoch: 1, 'Train Loss': 1.25, 'Train Acc': 70.5 },
      { epoch: 0.5, step: 5, loss: 0.5, 'GPU Mem': 5.25 },
      { step: 5, 'whole epoch': 0, 'train/CrossEntropyLoss': 7.625 },
      { step: 5, 'whole epoch': 0, 'train/Perplexity': 2085 },
    ],
  ],
  [
    'epochs',
    `Epoch [1/10], Step [3/12], Loss: 4.5, Training-time: 3.41
Epoch [2/10], Step [6/12], Loss: nan, Training-time: 6.5
[FT] ep=0: loss=1.906 acc=96.9% lr=0.009990
2024-01-01 10:00:00 - train - INFO - step 100 loss 0.25
Train Epoch: 2 [640/1280 (50%)]	Loss: 2.345678
epoch 1, minibatch 90/90, test error of best model 87.5 %
Saved checkpoint_best.pt to the folder of this run (epoch 1 @ 479 updates, score 6.4)
Epoch 3
we saw epoch 3 of it`,
    [
      { epoch: 0.25, step: 3, Loss: 4.5, 'Training-time': 3.41 },
      { epoch: 1.5, step: 6, Loss: 'NaN', 'Training-time': 6.5 },
      { epoch: 0, loss: 1.906, acc: 96.9, lr: 0.00999 },
      { step: 100, loss: 0.25 },
      { epoch: 1.5, Loss: 2.345678 },
      { epoch: 1, minibatch: 90, 'error of best model': 87.5 },
    ],
  ],
  [
    'epochs',
    `2024-05-15 22:50:17,398 INFO:Epoch 1: Train Loss=0.0625, Val Loss=0.125`,
    [{ epoch: 1, 'Train Loss': 0.0625, 'Val Loss': 0.125 }],
  ],
  [
    'epochs',
    `2024-01-01 10:00:00, batch i:3, episode_len:46
kl:0.25,lr_multiplier:1.000,loss:5.5
Fold 2, epoch 4, cost 0.125
Test set: Average loss: 2.5, Accuracy: 668/1134
3: [rank0]: 2024-01-01 10:00:00 INFO step=7 loss=2.25
[Eval] epoch 5 loss 0.75`,
    [
      { 'batch i': 3, episode_len: 46 },
      { 'batch i': 3, kl: 0.25, lr_multiplier: 1, loss: 5.5 },
      { Fold: 2, epoch: 4, cost: 0.125 },
      { epoch: 4, 'test Average loss': 2.5, 'test Accuracy': 668 },
      { step: 7, loss: 2.25 },
      { epoch: 5, 'eval loss': 0.75 },
    ],
  ],
  [
    'epochs',
    `Epoch: 1, Step: 100, loss: 4.5
Epoch: 1, Step: 200, loss: 3.5
  (bn1): BatchNorm2d(64, eps=1e-05, momentum=0.1)
Epoch: 2, Step: 100, loss: 2.5
Epoch: 1, Step: 100, loss: 4.25`,
    [
      { 'whole epoch': 1, step: 100, 'steps in all': 100, loss: 4.5 },
      { 'whole epoch': 1, step: 200, 'steps in all': 200, loss: 3.5 },
      { 'whole epoch': 2, step: 100, 'steps in all': 301, loss: 2.5 },
      { 'whole epoch': 1, step: 100, 'steps in all': 402, loss: 4.25 },
    ],
  ],
  [
    'epochs',
    `2024-01-01 10:00:00.290 | INFO     | __main__:<module>:8 - epoch1/10:
2024-01-01 10:00:00.293 | INFO     | __main__:<module>:9 - train_loss:102.5
20 [D loss: 2.25, acc.: 19.5%] [G loss: 5.5]
Saved to out/epoch_2/model with loss: 0.5
Epoch[3] Batch [0-20]	Speed: 25.5 samples/sec	Acc=0.75`,
    [
      { epoch: 1, train_loss: 102.5 },
      { 'whole epoch': 1, step: 20, 'steps in all': 20, 'D loss': 2.25, 'acc.': 19.5, 'G loss': 5.5 },
      { 'whole epoch': 3, batch: 20, 'steps in all': 41, Speed: 25.5, Acc: 0.75 },
    ],
  ],
  [
    'epochs',
    `train epoch: 1
count: 0, loss:4.5
count: 100, loss:3.5
count: 200, loss:2.5
train epoch: 2
count: 0, loss:2.25`,
    [
      { epoch: 1, count: 0, loss: 4.5 },
      { epoch: 1, count: 100, loss: 3.5 },
      { 'table row': 3, 'whole epoch': 1, count: 200, loss: 2.5 },
      { 'table row': 4, 'whole epoch': 2, count: 0, loss: 2.25 },
    ],
  ],
  [
    'epochs',
    `Epoch: 03 | Time: 0m 5s
Train: loss 0.25 acc 0.5
val: loss 0.5 acc 0.75
 50%|█████     | 5/10 [00:01<00:01,  5.0it/s, loss=0.125]
100%|██████████| 10/10 [00:02<00:00,  5.0it/s, loss=0.0625, acc=0.9]
[20/40] loss: 0.5
Resources per worker: 3 cores`,
    [
      { epoch: 3, loss: 0.25, acc: 0.5 },
      { epoch: 3, 'val loss': 0.5, 'val acc': 0.75 },
      { epoch: 2.5, loss: 0.125 },
      { epoch: 3, loss: 0.0625, acc: 0.9 },
      { epoch: 2.5, step: 20, loss: 0.5 },
    ],
  ],
  [
    'epochs',
    `[2024-01-01 10:00:00 swin] (main.py 222): INFO Train: [1/300][10/40]	eta 0:10:00 lr 0.25	loss 6.5 (6.75)
Train: 2 [ 10/40 ( 25%)]  Loss: 6.5 (6.75)  LR: 1.0e-06
[gpu1] 2024-01-01 10:00:00,000 (trainer:732) INFO: 3epoch:train:51-100batch: iter_time=0.125, loss=30.5
| epoch   4 |    10/   40 batches | lr 20.00 | loss  7.5
| end of epoch   4 | time: 45.5s | valid loss  5.5
Sat 06 Jan 2024 10:00:00 INFO  epoch 5 training [time: 5.25s, train loss: 40.5]
Ep. 6 : Up. 100 : Cost 8.5
epoch 7 loss tensor(0.25, device='cuda:0')
step 8 res(1) = 0.5
Episode 9	Average Score: 0.25`,
    [
      { epoch: 0.25, lr: 0.25, loss: 6.5 },
      { epoch: 1.25, Loss: 6.5, LR: 1e-6 },
      { 'whole epoch': 3, batch: 100, 'steps in all': 100, iter_time: 0.125, loss: 30.5 },
      { epoch: 3.25, lr: 20, loss: 7.5 },
      { epoch: 4, time: 45.5, 'valid loss': 5.5 },
      { epoch: 5, time: 5.25, 'train loss': 40.5 },
      { epoch: 6, 'up.': 100, Cost: 8.5 },
      { epoch: 7, loss: 0.25 },
      { step: 8, 'res(1)': 0.5 },
      { episode: 9, 'Average Score': 0.25 },
    ],
  ],
  [
    'pairs',
    `LR: 0.000200, Acc: 25.0000, Loss: 1.0225
2024-01-01 10:00:00,000 - LR: 0.0001, Acc: 50.0000, Loss: 0.75
loss: 2.5
loss: 1.25
Val: 100%|██████████| 10/10 [00:02<00:00,  5.0it/s, loss=0.5]
 20%|██        | 2/10 [00:00<00:02,  5.0it/s, loss=0.25]
Namespace(loss=0.5, acc=0.25)
we lost 3 of them, with an accuracy of 0.5
memory used: 3.5 GB`,
    [
      { 'table row': 1, LR: 0.0002, Acc: 25, Loss: 1.0225 },
      { 'table row': 2, LR: 0.0001, Acc: 50, Loss: 0.75 },
      { 'table row': 2, loss: 1.25 },
      { 'table row': 1, 'val loss': 0.5 },
      { step: 2, loss: 0.25 },
    ],
  ],
  [
    'columns',
    `# Epoch batch         loss       loss_f
      0     1        0.5         0.25
epoch     train_loss  accuracy  time
0         0.5         0.75      00:12
ETITLE:      TS           BOND          ANGLE

ENERGY:      100          20.5          10.25`,
    [
      { Epoch: 0, batch: 1, loss: 0.5, loss_f: 0.25 },
      { epoch: 0, train_loss: 0.5, accuracy: 0.75 },
      { TS: 100, BOND: 20.5, ANGLE: 10.25 },
    ],
  ],
  [
    'columns',
    `epoch,acc,loss,val_loss
0,0.5,2.25,1.375
1,0.625,0.5,0.875`,
    [
      { epoch: 0, acc: 0.5, loss: 2.25, val_loss: 1.375 },
      { epoch: 1, acc: 0.625, loss: 0.5, val_loss: 0.875 },
    ],
  ],
  [
    'columns',
    `iter | time | residual
-----+------+---------
   1 |  0.5 |   1e-3
   2 |  1.0 |   1e-4
done
a table of words
1 2 3`,
    [
      { iter: 1, time: 0.5, residual: 0.001 },
      { iter: 2, time: 1, residual: 0.0001 },
    ],
  ],
];
