import time

import enlighten

with enlighten.get_manager() as manager:
    outer = manager.counter(total=3, desc="epoch", unit="epochs")
    for epoch in range(3):
        inner = manager.counter(total=20, desc="batch", unit="batches", leave=False, min_delta=0)
        for batch in range(20):
            inner.update()
            time.sleep(0.01)
        inner.close()
        print(f"epoch {epoch} is done")
        outer.update()
print("all epochs are done")
