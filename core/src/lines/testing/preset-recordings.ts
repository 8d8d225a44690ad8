import { OWN_RECORDINGS } from './own-recordings.js';
import type { Recording } from './recording.js';
import { SIMULATION_RECORDINGS } from './simulation-recordings.js';

/** What training programs print, in the form of their sources, and the rows in it. */
const TRAINING_RECORDINGS: readonly Recording[] = [
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
    'yolo',
    `      Epoch    GPU_mem   box_loss   cls_loss   dfl_loss  Instances       Size
                   all        240        218      0.875       0.75        0.5       0.25
      Epoch    GPU_mem   box_loss   cls_loss   dfl_loss  Instances       Size
                   all        240        218        0.9       0.75      0.625       0.25
                   all        240        218        0.9       0.75      0.625       0.25`,
    [
      { 'table row': 1, Images: 240, Instances: 218, P: 0.875, R: 0.75, mAP50: 0.5, 'mAP50-95': 0.25 },
      { 'table row': 2, Images: 240, Instances: 218, P: 0.9, R: 0.75, mAP50: 0.625, 'mAP50-95': 0.25 },
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
];

export const RECORDINGS: readonly Recording[] = [...TRAINING_RECORDINGS, ...SIMULATION_RECORDINGS, ...OWN_RECORDINGS];
