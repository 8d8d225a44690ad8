"""Prints log lines as a training script does: print-log.py MEGABYTES"""

import sys

LINE_BYTES = 111

for step in range(int(sys.argv[1]) * 2**20 // LINE_BYTES):
    print(f"2026-11-21 12:00:00,123 INFO train.py:123 step {step:8d} loss 0.123456 lr 0.0001 gnorm 1.2345 tokens/s 12345678")
