/**
 * The child: MongoDB's engine in a process of its own, serving one directory on a Unix socket.
 *
 *   node server.mjs '{"directory":"…","idleMs":10000,"sweepMs":60000}'
 *
 * The engine's lock on the directory elects the one server; only its holder may replace the sockets. A launcher holds
 * a connection to the control socket for as long as it needs the database: it is greeted with `{"pid":…}` and a
 * newline, learns of the server's death by its breaking, and may write
 * - `alone <its pid>`: it is the one that must not run twice. The answer is `{"alone":…}` with the pid that is; when
 *   that is another's, the launcher leaves. The claim ends with the connection, so kill -9 ends it too.
 * - `leave`: the server closes that connection, or, when nobody else holds one, itself.
 *
 * A launcher that was killed leaves nobody: after `idleMs` without any connection the server closes by itself, unless
 * the next launcher has come.
 */
import { rmSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { loadEngine } from './engine.mjs';
import { EmbeddedMongoError } from './errors.mjs';
import { linesOf } from './lines.mjs';
import { placesFor } from './places.mjs';
import { sweepExpired } from './ttl.mjs';
import { converse } from './wire.mjs';

/** A predecessor that is closing may still write out its cache. */
const LOCK_WAIT_MS = 30_000;
const LOCK_RETRY_MS = 50;
/** Exit code of a child that found another server in charge: the launcher just connects to that one. */
const NOT_ELECTED = 3;

const installed = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../node_modules/.cache');
const told = (line) => console.log(`${new Date().toISOString()} ${line}`);

const answers = (socketPath) =>
  new Promise((resolve) => {
    const probe = net.connect(socketPath, () => resolve(true));
    probe.on('connect', () => probe.destroy());
    probe.on('error', () => resolve(false));
  });

/** Opens the directory, waiting for a closing predecessor; undefined when a living server has it. */
async function openElected(Engine, places) {
  const deadline = Date.now() + LOCK_WAIT_MS;
  for (;;) {
    try {
      return await Engine.open(places.directory);
    } catch (error) {
      if (await answers(places.controlSocket)) return undefined;
      const message = error.message.replace(/^embedded MongoDB error: /, '').replaceAll('\n', ' ');
      const locked = message.startsWith('DBPathInUse');
      if (!locked || Date.now() > deadline) {
        throw new EmbeddedMongoError(`cannot open ${places.directory}: ${message}`, { cause: error });
      }
      await delay(LOCK_RETRY_MS);
    }
  }
}

/** Serves until stopped. */
function serve(engine, places, { idleMs, sweepMs }) {
  const connections = new Set();
  const holders = new Set();
  /** The one holder that must not run twice. @type {{ socket: net.Socket, pid: number } | null} */
  let alone = null;
  let idleTimer;
  let sweepTimer;
  let closing = false;

  const stop = async (why) => {
    if (closing) return;
    closing = true;
    told(`closing: ${why}`);
    clearTimeout(sweepTimer);
    clearTimeout(idleTimer);
    // Closing a listener also removes its socket file, and must do so while the lock is still ours.
    for (const listener of [dataListener, controlListener]) listener.close();
    for (const socket of connections) if (!holders.has(socket)) socket.destroy();
    await engine.close();
    process.exit(0); // breaks the holders' connections: to them that means "gone"
  };

  const watchIdle = () => {
    clearTimeout(idleTimer);
    if (connections.size === 0) idleTimer = setTimeout(stop, idleMs, 'nobody is connected');
  };

  const track = (socket) => {
    connections.add(socket);
    clearTimeout(idleTimer);
    socket.on('error', () => {}); // 'close' follows, which is all that matters here
    socket.on('close', () => {
      connections.delete(socket);
      holders.delete(socket);
      if (alone?.socket === socket) alone = null;
      if (!closing) watchIdle();
    });
  };

  const dataListener = net.createServer((socket) => {
    track(socket);
    converse(engine, socket);
  });
  const controlListener = net.createServer((socket) => {
    track(socket);
    holders.add(socket);
    socket.write(`${JSON.stringify({ pid: process.pid })}\n`);
    linesOf(socket).on('line', (line) => {
      const [word, pid] = line.split(' ');
      if (word === 'alone') {
        alone ??= { socket, pid: Number(pid) };
        socket.write(`${JSON.stringify({ alone: alone.pid, you: alone.socket === socket })}\n`);
      } else if (holders.size === 1) void stop('the last launcher left');
      else socket.end();
    });
  });

  const sweep = async () => {
    // A failed sweep is told and tried again at the next turn; nothing depends on when a document goes.
    await sweepExpired(engine, Date.now()).catch((error) => closing || told(`sweep: ${error.message}`));
    if (!closing) sweepTimer = setTimeout(sweep, sweepMs);
  };

  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => void stop(signal));
  process.umask(0o077); // the sockets are for this user only: the engine asks nobody for a password
  for (const stale of [places.dataSocket, places.controlSocket]) rmSync(stale, { force: true });
  dataListener.listen(places.dataSocket);
  // Last, since an answer here means that the database is up.
  controlListener.listen(places.controlSocket, () => told(`serving ${places.directory} (pid ${process.pid})`));
  sweepTimer = setTimeout(sweep, sweepMs);
  watchIdle();
}

try {
  const options = JSON.parse(process.argv[2]);
  const places = placesFor(options.directory);
  const Engine = loadEngine([installed, places.engineCache]);
  const engine = await openElected(Engine, places);
  if (engine) serve(engine, places, options);
  else process.exit(NOT_ELECTED);
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
