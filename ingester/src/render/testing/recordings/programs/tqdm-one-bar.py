import time

from tqdm import trange

for step in trange(1200, mininterval=0):
    time.sleep(0.001)
