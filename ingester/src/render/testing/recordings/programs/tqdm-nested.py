import time

from tqdm import trange

for epoch in trange(4, desc="epoch", mininterval=0):
    for fold in trange(3, desc="fold", mininterval=0):
        for batch in trange(40, desc="batch", leave=False, mininterval=0):
            time.sleep(0.0005)
