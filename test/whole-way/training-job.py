"""A job to watch: a table of epochs, a table at another rhythm, colours, and a real progress bar that runs until it is told to end."""

import json
import os
import sys
import time

from tqdm import tqdm

control_folder, epochs = sys.argv[1], int(sys.argv[2])


def is_told(word):
    return os.path.exists(os.path.join(control_folder, word))


print("\x1b[32mtraining starts\x1b[0m", flush=True)
for epoch in range(1, epochs + 1):
    print(json.dumps({"epoch": epoch, "loss": 2 / epoch, "accuracy": 1 - 1 / (epoch + 1)}), flush=True)
    print(json.dumps({"step": epoch * 10, "grad_norm": 1 + epoch % 3, "time": epoch * 0.5}), flush=True)
for _ in range(3):
    print("waiting for data", flush=True)
with tqdm(total=100000, desc="evaluating", file=sys.stdout, ncols=80, ascii=True) as bar:
    while not is_told("end"):
        bar.update(10)
        time.sleep(0.05)
print("done", flush=True)
