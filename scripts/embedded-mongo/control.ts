/**
 * The control socket of the embedded server. A launcher keeps a connection open while it needs the database. The server
 * greets each connection with `{"pid":…}`; a broken connection reports the server's end. A launcher may write
 * - `alone <its pid>`: it must be the only one of its kind on this directory. The response names the launcher that holds
 *   this claim, `{"alone":<pid>,"you":<boolean>}`. The claim ends with the connection, so `kill -9` ends it as well.
 * - `leave`: the server closes this connection, or itself when no other launcher is connected.
 */
import net from 'node:net';
import { createInterface, type Interface } from 'node:readline';
import { StartError } from '../steps/start-error.mjs';
import type { Running } from '../supervisor/supervise.ts';

/** Exit code of a server that found another one in charge of the directory. */
export const NOT_ELECTED = 3;

/** Settings of the server's process, in JSON in its first argument. */
export interface ServerSettings {
  directory: string;
  idleMs: number;
  sweepMs: number;
}

/** A launcher's connection to the server. */
export interface Held extends Running {
  socket: net.Socket;
  lines: Interface;
}

/** Returns the lines received on a control connection, as `line` events. */
export function linesOf(socket: net.Socket): Interface {
  const lines = createInterface({ input: socket });
  lines.on('error', () => {}); // forwarded from the socket, whose 'close' follows
  return lines;
}

/** Resolves with whether a process accepts connections on this socket. */
export function accepts(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = net.connect(socketPath, () => resolve(true));
    probe.on('connect', () => probe.destroy());
    probe.on('error', () => resolve(false));
  });
}

/** Connects to a running server; resolves with null when there is none. */
export function connectControl(controlSocket: string): Promise<Held | null> {
  return new Promise((resolve) => {
    const socket = net.connect(controlSocket);
    const lines = linesOf(socket);
    const ended = new Promise<void>((resolveEnded) => socket.once('close', () => resolveEnded()));
    lines.once('line', (greeting) => {
      const { pid }: { pid: number } = JSON.parse(greeting);
      socket.unref(); // the connection alone keeps no process running
      const requestStop = (): void => {
        socket.ref();
        socket.write('leave\n');
      };
      resolve({ pid, socket, lines, ended, requestStop });
    });
    socket.on('error', () => {}); // 'close' follows
    void ended.then(() => resolve(null));
  });
}

/**
 * Claims the directory for this process. Resolves with false when the server ended before it responded. Throws a
 * `StartError` when another process holds the claim.
 */
export async function claimAlone({ socket, lines, ended }: Held, directory: string): Promise<boolean> {
  const response = new Promise<string>((resolve) => lines.once('line', resolve));
  socket.ref();
  socket.write(`alone ${process.pid}\n`);
  const line = await Promise.race([response, ended]);
  socket.unref();
  if (line === undefined) return false;
  const claim: { alone: number; you: boolean } = JSON.parse(line);
  if (claim.you) return true;
  socket.destroy();
  throw new StartError(
    `Another Mintwatch (process ${claim.alone}) runs on ${directory}. Stop it, or set DATA_DIR to another directory.`,
  );
}
