import time

from tqdm import tqdm

bars = [tqdm(total=50 + 10 * i, position=i, desc=f"worker {i}", mininterval=0) for i in range(4)]
for step in range(80):
    for bar in bars:
        if bar.n < bar.total:
            bar.update(1)
    time.sleep(0.001)
for bar in bars:
    bar.close()
print("all workers are done")
