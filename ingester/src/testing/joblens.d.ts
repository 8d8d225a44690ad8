export interface Started {
    readonly pid: number;
    /** The process that logs: a child of this one under `run` and `pipe`, once it has started. */
    readonly loggerPid: () => number;
    /** The output so far. */
    readonly stdout: () => Buffer;
    readonly stderr: () => Buffer;
    write(text: string | Uint8Array): void;
    endInput(): void;
    kill(signal: NodeJS.Signals): void;
    /** Closes our end of its stdout, as `| head` does. */
    closeStdout(): void;
    closeStderr(): void;
    /** Reads its stdout no more, until it is resumed. */
    pauseStdout(): void;
    resumeStdout(): void;
    /** Its own end; others may still print. */
    readonly exited: Promise<number | null>;
    /** Nobody holds its output any more. */
    readonly ended: Promise<{
        readonly code: number | null;
        readonly signal: NodeJS.Signals | null;
    }>;
}
export interface Ended {
    readonly code: number | null;
    readonly stdout: Buffer;
    readonly stderr: string;
}
export interface JoblensUnderTest {
    /** A folder of its own, also HOME. */
    readonly folder: string;
    /** The command, for a shell. */
    readonly command: string;
    start(args: readonly string[], environment?: Record<string, string>): Started;
    /** Runs it to its end with this standard input. */
    run(args: readonly string[], input?: string | Uint8Array, environment?: Record<string, string>): Promise<Ended>;
    remove(): void;
}
/**
 * The command, bundled and started as it is shipped: by the first suite of a run of jest that asks, for all. Returns
 * its path. The Node of the tests lies beside it.
 */
export declare function bundleJoblens(): string;
/** Runs the command as a process, with an environment that asks for warnings only and for no /health. */
export declare function prepareJoblens(): JoblensUnderTest;
/** Waits until the condition holds, and asks ever more seldom. Fails after a time that suits a busy machine. */
export declare function until(condition: () => boolean | Promise<boolean>, timeoutMs?: number): Promise<void>;
/** Waits until the value has stayed the same for this long. */
export declare function untilStill(read: () => unknown, stillMs: number): Promise<void>;
