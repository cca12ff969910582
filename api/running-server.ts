import type { LocalChainUrls } from './chain/chain-endpoint.ts';
import type { Limits } from './http/rate-limits.ts';

export interface ServerOptions {
  env: Readonly<Record<string, string | undefined>>;
  mongoUri: string;
  /** The built client. */
  webRoot: string;
  /** The made user guide; `.build/guide` when left out. */
  guideRoot?: string | undefined;
  /** Told each step in a line, for the person who starts the server; also the first administrator's password. */
  announce(line: string): void;
  limits?: Limits;
  /** The local chain that was started with the server; SOLANA_RPC_URL goes before it. */
  chain?: LocalChainUrls | undefined;
}

export interface RunningServer {
  url: string;
  /** Stops everything in order, within 5 s. */
  stop(): Promise<void>;
}
