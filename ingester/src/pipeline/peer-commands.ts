import type { LogConfig } from '../rules/options/log-config.js';

/** A command that another process has obeyed, and when, by Clock.monotonicMs. */
export interface PeerCommand {
  readonly options: Partial<LogConfig>;
  readonly atMs: number;
}

/**
 * Commands that the processes tell each other that log the same job of the same user on one host. Nothing here throws.
 */
export interface PeerCommands {
  /** Whether there is another such process now. */
  readonly hasPeers: boolean;
  /** The commands that others have obeyed since the last call, in order. */
  take(): readonly PeerCommand[];
  /** Tells the others which command was obeyed here. */
  publish(options: Partial<LogConfig>): void;
  /** This process logs the job no more. */
  leave(): void;
}

export const NO_PEERS: PeerCommands = {
  hasPeers: false,
  take: () => [],
  publish: () => undefined,
  leave: () => undefined,
};
