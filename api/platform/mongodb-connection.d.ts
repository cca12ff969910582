/** The driver's connection, which the package does not export: the parts that are used here. */
declare module 'mongodb/lib/cmap/connection.js' {
  import type { EventEmitter } from 'node:events';
  import type { Socket } from 'node:net';

  export class Connection extends EventEmitter {
    constructor(socket: Socket, options: { id: number; generation: number; hostAddress: string });
    /** Why it closed; null while it is open. */
    readonly error: Error | null;
    command(namespace: { db: string }, command: object, options: object): Promise<unknown>;
    destroy(): void;
    /** Resolves when the command is written to the socket. */
    writeCommand(command: unknown, options: unknown): Promise<void>;
  }
}
