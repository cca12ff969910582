export interface EmbeddedMongoOptions {
  /** Told in one line when the server ends unexpectedly, and when it is up again. Default: nobody is told. */
  log?: (line: string) => void;
  /** The database a client uses when it names none. Default `mintwatch`. */
  database?: string;
  /** How long the server stays without any connection, ms. Default 10,000. */
  idleMs?: number;
  /** Time between two sweeps of the TTL indexes, ms. Default 60,000. */
  sweepMs?: number;
  /** How long a start may take, ms. Default 60,000. */
  startTimeoutMs?: number;
  /**
   * This process must not run twice on the directory: the start fails while another that is `alone` holds the server,
   * be it only until that one is killed. Whoever only shares the database leaves it out. Default false.
   */
  alone?: boolean;
}

export interface EmbeddedMongo {
  /** Stays the same across restarts. */
  uri: string;
  /** The server's process, or null while it is being restarted. */
  pid(): number | null;
  /** Closes the server, or, when another process shares it, only lets go of it. Resolves when that has happened. */
  stop(): Promise<void>;
  /** Ends the server at once and for good, also when it is shared; the journal keeps every acknowledged write. */
  kill(): void;
}

/**
 * Serves `directory` by an embedded MongoDB in a process of its own, sharing the one that may already serve it, and
 * starts it again when it dies. Rejects with a one-line `StartError` when that is not possible here.
 */
export function startEmbeddedMongo(directory: string, options?: EmbeddedMongoOptions): Promise<EmbeddedMongo>;
