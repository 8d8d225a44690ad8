import math
import time

from keras.utils import Progbar

EPOCHS, STEPS = 3, 40

for epoch in range(EPOCHS):
    print(f"Epoch {epoch + 1}/{EPOCHS}")
    progbar = Progbar(STEPS, stateful_metrics=["accuracy"])
    for step in range(1, STEPS + 1):
        time.sleep(0.06)
        loss = 1 / math.sqrt(epoch * STEPS + step)
        progbar.update(step, values=[("accuracy", 1 - loss / 2), ("loss", loss)])
