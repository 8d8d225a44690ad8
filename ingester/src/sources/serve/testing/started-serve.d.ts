import { type JoblensUnderTest, type Started } from '../../../testing/joblens.js';
/** A `joblens serve` that runs, and where it is. */
export interface StartedServe {
    readonly process: Started;
    readonly httpUrl: string;
    readonly udpPort: number;
    readonly tcpPort: number;
    /** Sends a POST of line protocol. */
    post(path: string, body: string | Uint8Array, headers?: Record<string, string>): Promise<Response>;
    sendDatagrams(...datagrams: readonly string[]): Promise<void>;
    /** Sends it and ends the connection; resolves when the other side has read it. */
    sendStream(...pieces: readonly string[]): Promise<void>;
    /** Ends it by SIGTERM; returns its exit code. */
    stop(): Promise<number | null>;
}
/** Starts it on free ports. */
export declare function startServe(joblens: JoblensUnderTest, args: readonly string[], environment?: Record<string, string>): Promise<StartedServe>;
