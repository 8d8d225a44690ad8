/** What some processes have used so far, and the memory that they use now. Undefined: cannot be read here. */
export interface UsageReading {
  readonly cpuSeconds: number | undefined;
  readonly memoryBytes: number | undefined;
  readonly readBytes: number | undefined;
  readonly writtenBytes: number | undefined;
}

export interface UsageSource {
  /** For messages: whose usage this is. */
  readonly name: string;
  read(): UsageReading;
}
