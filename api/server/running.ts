import type { Limits } from './limits.ts';

export interface ServerOptions {
  env: Readonly<Record<string, string | undefined>>;
  mongoUri: string;
  /** The built client. */
  webRoot: string;
  /** Told each step in a line, for the person who starts the server. */
  announce(line: string): void;
  limits?: Limits;
}

export interface RunningServer {
  url: string;
  /** The first administrator's password when it was generated just now, to be shown once. */
  adminPassword: string | null;
  /** Stops everything in order, within 5 s. */
  stop(): Promise<void>;
}
