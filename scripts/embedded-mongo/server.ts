/**
 * The server process: MongoDB's engine, serving one directory on a Unix socket. Its argument is `ServerSettings`.
 *
 * The engine's lock on the directory elects one server; only its holder may replace the sockets. control.ts describes
 * how launchers hold it. A killed launcher leaves nothing behind: after `idleMs` without any connection the server
 * closes, unless the next launcher has connected.
 */
import { rmSync } from 'node:fs';
import net from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { accepts, linesOf, NOT_ELECTED, type ServerSettings } from './control.ts';
import { type Engine, type EngineClass, loadEngine } from './engine.ts';
import { EmbeddedMongoError } from './errors.ts';
import { type Places, placesFor } from './places.ts';
import { sweepExpired } from './ttl.ts';
import { serveConnection } from './wire.ts';

/** A closing predecessor may still be writing its cache. */
const LOCK_WAIT_MS = 30_000;
const LOCK_RETRY_MS = 50;

const log = (line: string): void => console.log(`${new Date().toISOString()} ${line}`);
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Opens the directory, after a closing predecessor if need be; resolves with null when a running server has it. */
async function openElected(Engine: EngineClass, places: Places): Promise<Engine | null> {
  const deadline = Date.now() + LOCK_WAIT_MS;
  for (;;) {
    try {
      return await Engine.open(places.directory);
    } catch (error) {
      if (await accepts(places.controlSocket)) return null;
      const message = messageOf(error)
        .replace(/^embedded MongoDB error: /, '')
        .replaceAll('\n', ' ');
      const locked = message.startsWith('DBPathInUse');
      if (!locked || Date.now() > deadline) {
        throw new EmbeddedMongoError(`cannot open ${places.directory}: ${message}`, { cause: error });
      }
      await delay(LOCK_RETRY_MS);
    }
  }
}

/** The connections of a server, and the timer that closes it when there is none. */
function createConnections(idleMs: number, onIdle: () => void) {
  const all = new Set<net.Socket>();
  const holders = new Set<net.Socket>();
  /** The holder that claimed the directory for itself. */
  let alone: { socket: net.Socket; pid: number } | null = null;
  let idleTimer: NodeJS.Timeout | undefined;
  const watchIdle = (): void => {
    clearTimeout(idleTimer);
    if (all.size === 0) idleTimer = setTimeout(onIdle, idleMs);
  };
  watchIdle();
  return {
    add(socket: net.Socket): void {
      all.add(socket);
      clearTimeout(idleTimer);
      socket.on('error', () => {}); // 'close' follows
      socket.on('close', () => {
        all.delete(socket);
        holders.delete(socket);
        if (alone?.socket === socket) alone = null;
        watchIdle();
      });
    },
    addHolder: (socket: net.Socket): void => void holders.add(socket),
    isLastHolder: (): boolean => holders.size === 1,
    /** Grants the claim when no other launcher holds it; returns the claim in force. */
    claim(socket: net.Socket, pid: number): { alone: number; you: boolean } {
      alone ??= { socket, pid };
      return { alone: alone.pid, you: alone.socket === socket };
    },
    /** Ends the clients' connections. Those of the holders break with the process, which reports its end to them. */
    closeClients(): void {
      clearTimeout(idleTimer);
      for (const socket of all) if (!holders.has(socket)) socket.destroy();
    },
  };
}

/** Serves until a signal, the last launcher's `leave` or the idle timer ends the process. */
function serve(engine: Engine, places: Places, { idleMs, sweepMs }: ServerSettings): void {
  let sweepTimer: NodeJS.Timeout | undefined;
  let closing = false;
  const connections = createConnections(idleMs, () => void stop('no connection is left'));

  const dataListener = net.createServer((socket) => {
    connections.add(socket);
    serveConnection(engine, socket);
  });
  const controlListener = net.createServer((socket) => {
    connections.add(socket);
    connections.addHolder(socket);
    socket.write(`${JSON.stringify({ pid: process.pid })}\n`);
    linesOf(socket).on('line', (line) => {
      const [word, pid] = line.split(' ');
      if (word === 'alone') socket.write(`${JSON.stringify(connections.claim(socket, Number(pid)))}\n`);
      else if (connections.isLastHolder()) void stop('the last launcher left');
      else socket.end();
    });
  });

  const stop = async (reason: string): Promise<void> => {
    if (closing) return;
    closing = true;
    log(`closing: ${reason}`);
    clearTimeout(sweepTimer);
    // Closing a listener also removes its socket file, which only the holder of the lock may do.
    for (const listener of [dataListener, controlListener]) listener.close();
    connections.closeClients();
    await engine.close();
    process.exit(0);
  };

  const sweep = async (): Promise<void> => {
    // A failed sweep is logged and retried with the next one: no reader depends on when a document expires.
    await sweepExpired(engine, Date.now()).catch((error) => closing || log(`sweep failed: ${messageOf(error)}`));
    if (!closing) sweepTimer = setTimeout(() => void sweep(), sweepMs);
  };

  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => void stop(signal));
  process.umask(0o077); // the sockets are for this user only: the engine checks no password
  for (const stale of [places.dataSocket, places.controlSocket]) rmSync(stale, { force: true });
  dataListener.listen(places.dataSocket);
  // Last, since an accepted control connection means that the database is up.
  controlListener.listen(places.controlSocket, () => log(`serving ${places.directory} (pid ${process.pid})`));
  sweepTimer = setTimeout(() => void sweep(), sweepMs);
}

try {
  const settings: ServerSettings = JSON.parse(process.argv[2] ?? '');
  const places = placesFor(settings.directory);
  const engine = await openElected(loadEngine(places.engineCache), places);
  if (engine) serve(engine, places, settings);
  else process.exit(NOT_ELECTED);
} catch (error) {
  console.error(messageOf(error));
  process.exit(1);
}
