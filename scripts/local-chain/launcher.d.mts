export interface LocalChainOptions {
  /** Told in one line when the chain ends unexpectedly, and when it is up again. Default: nobody is told. */
  log?: (line: string) => void;
  /** Where it listens, on 127.0.0.1; when that is taken, anywhere. Default 0: anywhere. */
  port?: number;
  /** Length of a slot, ms. Default 400. */
  slotMs?: number;
  /** How many transactions are remembered. Default 20,000. */
  historyLimit?: number;
  /** After how many transactions a new file of the journal is begun. Default 2,000. */
  linesPerFile?: number;
  /** Airdrops a minute. Default 10 for each recipient, 100 together. */
  faucetLimits?: { perRecipient: number; total: number };
  /** Whether anybody may cause trouble (faults.mjs): for tests only. Default false. */
  testing?: boolean;
}

/** What the process of the chain is started with. */
export type ServerSettings = Required<Omit<LocalChainOptions, 'log'>> & { directory: string; exactPort: boolean };

export interface LocalChain {
  /** JSON-RPC; stays the same across restarts. */
  rpcUrl: string;
  /** PubSub, on the same port. */
  wsUrl: string;
  port: number;
  /** The chain's process, or null while it is being restarted. */
  pid(): number | null;
  /** Closes the chain. Resolves when its process has ended. */
  stop(): Promise<void>;
  /** Ends the chain at once and for good; every answered transaction is on disk. */
  kill(): void;
}

/**
 * Runs the chain of `directory` in a process of its own, and starts it again when it dies. Rejects with a one-line
 * `StartError` when that is not possible here; its `code` is `unsupported` where the VM has no build.
 */
export function startLocalChain(directory: string, options?: LocalChainOptions): Promise<LocalChain>;
