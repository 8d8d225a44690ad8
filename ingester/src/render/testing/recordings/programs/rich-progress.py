import time

from rich.progress import Progress

with Progress() as progress:
    tasks = [progress.add_task(f"[green]part {i}", total=40 + 20 * i) for i in range(3)]
    for step in range(80):
        for task in tasks:
            progress.update(task, advance=1)
        if step % 30 == 0:
            progress.console.print(f"[bold]checkpoint[/] at step {step}")
        time.sleep(0.02)
print("done")
