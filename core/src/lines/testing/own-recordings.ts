import type { Recording } from './recording.js';

/** What programs of one's own print, and the rows in it. */
export const OWN_RECORDINGS: readonly Recording[] = [
  [
    'counted-columns',
    `epoch     train_loss  valid_loss  accuracy  time    
0         0.184023    0.082347    0.970000  00:12     
Better model found at epoch 0 with accuracy value: 0.97.
1         0.104023    0.062347    0.980000  00:12     
2         0.094023    0.052347    0.983000  00:12     `,
    [
      { epoch: 0, train_loss: 0.184023, valid_loss: 0.082347, accuracy: 0.97 },
      { epoch: 1, train_loss: 0.104023, valid_loss: 0.062347, accuracy: 0.98 },
      { epoch: 2, train_loss: 0.094023, valid_loss: 0.052347, accuracy: 0.983 },
    ],
  ],
  [
    'counted-columns',
    `+----------------------------------------------------------------+
|  Inner_Iter|      rms[Rho]|     rms[RhoU]|        CL|        CD|
+----------------------------------------------------------------+
|           0|     -1.765832|     -1.106183|  0.114239|  0.206180|
|           1|     -2.024371|     -1.371209|  0.239611|  0.193012|
|           2|     -2.324371|     -1.571209|  0.249611|  0.183012|`,
    [
      { Inner_Iter: 0, 'rms[Rho]': -1.765832, 'rms[RhoU]': -1.106183, CL: 0.114239, CD: 0.20618 },
      { Inner_Iter: 1, 'rms[Rho]': -2.024371, 'rms[RhoU]': -1.371209, CL: 0.239611, CD: 0.193012 },
      { Inner_Iter: 2, 'rms[Rho]': -2.324371, 'rms[RhoU]': -1.571209, CL: 0.249611, CD: 0.183012 },
    ],
  ],
  [
    'counted-columns',
    `gen	nevals	avg    	std    	min	max
0  	300   	49.97	4.9	36 	62 
1  	178   	54.01	3.9	42 	64 
2  	170   	57.01	3.9	42 	64 `,
    [
      { gen: 0, nevals: 300, avg: 49.97, std: 4.9, min: 36, max: 62 },
      { gen: 1, nevals: 178, avg: 54.01, std: 3.9, min: 42, max: 64 },
      { gen: 2, nevals: 170, avg: 57.01, std: 3.9, min: 42, max: 64 },
    ],
  ],
  [
    'counted-columns',
    `state	Posterior	Prior	Likelihood	rootHeight
0	-7100.12	-300.2	-6800.1	1.5
10000	-7000.12	-300.2	-6700.1	1.4
20000	-6990.12	-300.2	-6690.1	1.4`,
    [
      { state: 10000, Posterior: -7000.12, Prior: -300.2, Likelihood: -6700.1, rootHeight: 1.4 },
      { state: 20000, Posterior: -6990.12, Prior: -300.2, Likelihood: -6690.1, rootHeight: 1.4 },
    ],
  ],
  [
    'counted-columns',
    `epoch;loss;acc
1;0.5;0.7
2;0.4;0.75`,
    [
      { epoch: 1, loss: 0.5, acc: 0.7 },
      { epoch: 2, loss: 0.4, acc: 0.75 },
    ],
  ],
  [
    'counted-columns',
    `      Iter       Train Loss   Remaining Time 
         1           1.2345            1.20m
         2           1.1345            1.10m
        10           0.9345           50.10s`,
    [
      { Iter: 1, 'Train Loss': 1.2345 },
      { Iter: 2, 'Train Loss': 1.1345 },
      { Iter: 10, 'Train Loss': 0.9345 },
    ],
  ],
  [
    'counted-columns',
    `fold epoch loss acc
0 1 0.5 0.6
0 2 0.4 0.7
1 1 0.6 0.5
1 2 0.3 0.8`,
    [
      { fold: 0, epoch: 1, loss: 0.5, acc: 0.6 },
      { fold: 0, epoch: 2, loss: 0.4, acc: 0.7 },
      { fold: 1, epoch: 1, loss: 0.6, acc: 0.5 },
      { fold: 1, epoch: 2, loss: 0.3, acc: 0.8 },
    ],
  ],
  [
    'counted-columns',
    `2024-01-01 10:00:00 INFO  epoch   train   valid
2024-01-01 10:00:00 INFO  1   0.5   0.6
2024-01-01 10:00:10 INFO  2   0.4   0.5
| step | loss | grad |
|------|------|------|
| 1 | 0.5 | 3 |
| 2 | 0.25 | 2 |`,
    [
      { step: 1, loss: 0.5, grad: 3 },
      { step: 2, loss: 0.25, grad: 2 },
    ],
  ],
  [
    'counted-columns',
    `+---------------------------------------------------+
|   Time_Iter|  Inner_Iter|          CD|    rms[Rho]|
+---------------------------------------------------+
|           0|           0|    2.925114|   -2.772504|
|           0|           1|    2.419387|   -3.257713|
|           1|           0|    2.039722|   -3.346967|
|           1|           1|    1.887042|   -3.470247|
12 0.5
CSysSolve::FGMRES(): system solved by initial guess.`,
    [
      { Time_Iter: 0, Inner_Iter: 0, CD: 2.925114, 'rms[Rho]': -2.772504 },
      { Time_Iter: 0, Inner_Iter: 1, CD: 2.419387, 'rms[Rho]': -3.257713 },
      { Time_Iter: 1, Inner_Iter: 0, CD: 2.039722, 'rms[Rho]': -3.346967 },
      { Time_Iter: 1, Inner_Iter: 1, CD: 1.887042, 'rms[Rho]': -3.470247 },
    ],
  ],
  [
    'counted-columns',
    `Iteration    Objective       Primal Inf.    Dual Inf.      Time
       0      handle free variables                          0s
     431    3.1297701e+05   0.000000e+00   0.000000e+00      0s`,
    [{ Iteration: 431, Objective: 312977.01, 'Primal Inf.': 0, 'Dual Inf.': 0 }],
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
    'epochs',
    `I | 06-14 12:55:30 |  train   | step=7, pmove=0.5, energy=-47.25+0.0625j
I | 06-14 12:55:31 |  train   | step=8, pmove=0.5, energy=-47.5-1.5e-05j
2024-01-01 10:00:00 - INFO - epoch: 1, batch_id: 500, AUC:0.75, loss:0.125
2024-01-01 10:00:00 - INFO - epoch: 2, batch_id: 0, AUC:0.875, loss:0.0625
2024-01-01 10:00:00:INFO: Meta epoch 3...
2024-01-01 10:00:00:INFO: Meta batch loss: 1.5`,
    [
      { step: 7, pmove: 0.5, energy: -47.25 },
      { step: 8, pmove: 0.5, energy: -47.5 },
      { 'whole epoch': 1, batch_id: 500, 'steps in all': 500, AUC: 0.75, loss: 0.125 },
      { 'whole epoch': 2, batch_id: 0, 'steps in all': 501, AUC: 0.875, loss: 0.0625 },
      { epoch: 3, 'Meta batch loss': 1.5 },
    ],
  ],
  [
    'epochs',
    `INFO:root:Epoch 50 - Average Loss: 3.75, Samples: 1013
INFO:root:Evaluation Epoch 50 - Average Loss: 3.5, Samples: 211
[EVAL] algo=ppo_tuned episode=15 reward=123.5
phase=val epoch=5 loss=0.5
     iteration #  1     ecut=    40.00 Ry     beta= 0.40
**Step 1:** Calculate 3 x 4
**** EPOCH 006 ****
mean loss: 0.25`,
    [
      { epoch: 50, 'Average Loss': 3.75, Samples: 1013 },
      { epoch: 50, 'eval Average Loss': 3.5, 'eval Samples': 211 },
      { episode: 15, 'eval reward': 123.5 },
      { epoch: 5, 'val loss': 0.5 },
      { epoch: 6, 'mean loss': 0.25 },
    ],
  ],
  [
    'epochs',
    `Epoch 1/10
step  10/40 - loss: 0.5 - acc: 0.25
Eval begin...
step  10/20 - loss: 0.75 - acc: 0.125
Epoch 2/10
step  20/40 - loss: 0.25 - acc: 0.5`,
    [
      { epoch: 0.25, step: 10, loss: 0.5, acc: 0.25 },
      { epoch: 0.5, step: 10, 'eval loss': 0.75, 'eval acc': 0.125 },
      { epoch: 1.5, step: 20, loss: 0.25, acc: 0.5 },
    ],
  ],
  [
    'epochs',
    `2017-08-18 02:43:53,914:	Loss at step 1: 8.5
Minibatch accuracy after epoch 3: 91.5%
50	T= 289.90	Kinetic= 4.5e+04	Potential= 2.5e+06`,
    [
      { step: 1, Loss: 8.5 },
      { epoch: 3, 'Minibatch accuracy': 91.5 },
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
    'pairs',
    `2024-01-01 10:00:00,000 - log/train.log - INFO - evaluate:dev
2024-01-01 10:00:00,000 - log/train.log - INFO - accuracy:  97.5%; FB1:  75.25
2024-01-01 10:00:00,000 - log/train.log - INFO - evaluate:test
2024-01-01 10:00:00,000 - log/train.log - INFO - accuracy:  96.5%; FB1:  74.25
2024-01-01 10:00:00,000 - log/train.log - INFO - accuracy:  95.5%; FB1:  73.25`,
    [
      { 'table row': 1, 'dev accuracy': 97.5, 'dev FB1': 75.25 },
      { 'table row': 1, 'test accuracy': 96.5, 'test FB1': 74.25 },
      { 'table row': 1, accuracy: 95.5, FB1: 73.25 },
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
  [
    'columns',
    `#"Step","Potential Energy (kJ/mole)","Speed, -"
1000,-141237.5,--
2000,-141137.5,210`,
    [
      { Step: 1000, 'Potential Energy (kJ/mole)': -141237.5 },
      { Step: 2000, 'Potential Energy (kJ/mole)': -141137.5, 'Speed, -': 210 },
    ],
  ],
  [
    'columns',
    `  iter  continuity  x-velocity           k     time/iter
     1  1.0000e+00  3.5000e-04     1.2e-02  0:20:11   99
     2  7.5000e-01  2.5000e-04     1.1e-02  0:18:11   98`,
    [
      { iter: 1, continuity: 1, 'x-velocity': 0.00035, k: 0.012, 'time/iter': 99 },
      { iter: 2, continuity: 0.75, 'x-velocity': 0.00025, k: 0.011, 'time/iter': 98 },
    ],
  ],
  [
    'columns',
    `iter    objective    inf_pr lg(mu)  ||d||  lg(rg) alpha_pr  ls
   0  1.6250000e+01 1.12e+01  -1.0 0.00e+00    -   0.00e+00   0
   1  1.6500000e+01 7.25e-01  -1.0 6.25e-01    -   1.00e+00f  1
nothing - - - - - - -
   2  1.6750000e+01 3.5e-02   -1.7 1.5e-01  -4.0  1.00e+00h  1`,
    [
      { iter: 0, objective: 16.25, inf_pr: 11.2, 'lg(mu)': -1, '||d||': 0, alpha_pr: 0, ls: 0 },
      { iter: 1, objective: 16.5, inf_pr: 0.725, 'lg(mu)': -1, '||d||': 0.625, ls: 1 },
      { iter: 2, objective: 16.75, inf_pr: 0.035, 'lg(mu)': -1.7, '||d||': 0.15, 'lg(rg)': -4, ls: 1 },
    ],
  ],
];
