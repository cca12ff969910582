/** Starts the embedded MongoDB, keeps it up while it is wanted, and stops it. Types: launcher.d.mts. */
import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import net from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { StartError } from '../steps/start-error.mjs';
import { EmbeddedMongoError } from './errors.mjs';
import { linesOf } from './lines.mjs';
import { placesFor, uriOf } from './places.mjs';

const serverFile = fileURLToPath(new URL('./server.mjs', import.meta.url));

/** Recovery after a kill -9 of a large database takes seconds; the first index repair may take longer. */
const START_TIMEOUT_MS = 60_000;
const ANSWER_POLL_MS = 20;
/** Long enough for a checkpoint; after it the journal is as good a guarantee as a clean close. */
const STOP_TIMEOUT_MS = 4_000;
const DEFAULT_IDLE_MS = 10_000;
/** As mongod's ttlMonitorSleepSecs. */
const DEFAULT_SWEEP_MS = 60_000;
const FIRST_RESTART_DELAY_MS = 100;
const LONGEST_RESTART_DELAY_MS = 5_000;
/** The log is turned over at a start when it has grown past this. */
const LONGEST_LOG_BYTES = 1_000_000;
const NOT_ELECTED = 3;
/** What the child gets of our environment: nothing in it may be a secret. */
const PASSED_ON = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'TZ', 'LD_LIBRARY_PATH'];

/** Connects to a running server's control socket; null when none answers. */
function hold(controlSocket) {
  return new Promise((resolve) => {
    const socket = net.connect(controlSocket);
    const lines = linesOf(socket);
    lines.once('line', (greeting) => {
      socket.unref(); // the lifeline alone keeps no process running
      resolve({ socket, lines, pid: JSON.parse(greeting).pid });
    });
    socket.on('error', () => {}); // 'close' follows
    socket.on('close', () => resolve(null));
  });
}

/**
 * Makes this launcher the server's one that must not run twice. Throws a StartError when there is such a one already;
 * false when the server has ended instead of answering.
 */
async function claimAlone({ socket, lines }, directory) {
  const answer = new Promise((resolve) => {
    lines.once('line', (line) => resolve(JSON.parse(line)));
    socket.once('close', () => resolve(null));
  });
  socket.ref();
  socket.write(`alone ${process.pid}\n`);
  const told = await answer;
  socket.unref();
  if (told === null) return false;
  if (told.you) return true;
  socket.destroy();
  throw new StartError(
    `Another Mintwatch (process ${told.alone}) runs on ${directory}. Stop it, or set DATA_DIR to another directory.`,
  );
}

function openLog(logFile) {
  try {
    if (statSync(logFile, { throwIfNoEntry: false })?.size > LONGEST_LOG_BYTES) renameSync(logFile, `${logFile}.1`);
    return openSync(logFile, 'a', 0o600);
  } catch (error) {
    throw new EmbeddedMongoError(`cannot write to ${logFile} (${error.code})`, { cause: error });
  }
}

/** Spawns a server and waits until one answers, be it this one or another that was faster. */
async function launch(places, { idleMs, sweepMs, startTimeoutMs }) {
  const log = openLog(places.logFile);
  const logStart = statSync(places.logFile).size;
  const argument = JSON.stringify({ directory: places.directory, idleMs, sweepMs });
  const env = Object.fromEntries(PASSED_ON.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
  // Detached: a Ctrl-C reaches every process of the terminal's group, and the app must finish its writes first.
  const child = spawn(process.execPath, [serverFile, argument], { detached: true, stdio: ['ignore', log, log], env });
  closeSync(log);
  let answered = false;
  let beaten = false;
  let failure = null;
  child.on('error', (error) => {
    failure = error.message;
  });
  child.on('exit', (code, signal) => {
    if (answered) return;
    beaten = code === NOT_ELECTED;
    if (beaten) return;
    failure =
      readFileSync(places.logFile).subarray(logStart).toString().trim().split('\n').at(-1) || `ended by ${signal}`;
  });
  child.unref();
  for (const deadline = Date.now() + startTimeoutMs; Date.now() < deadline; await delay(ANSWER_POLL_MS)) {
    const held = await hold(places.controlSocket);
    if (held) {
      answered = true;
      // Another server was faster: ours, which waits for the lock, must not rise from the dead when that one is stopped.
      if (held.pid !== child.pid) child.kill('SIGKILL');
      return held;
    }
    // The server that had beaten ours has ended since: begin again.
    if (beaten) return (await hold(places.controlSocket)) ?? launch(places, { idleMs, sweepMs, startTimeoutMs });
    if (failure?.startsWith('The embedded MongoDB')) throw Object.assign(new Error(failure), { name: 'StartError' });
    if (failure) throw new EmbeddedMongoError(`did not start: ${failure}`);
  }
  child.kill('SIGKILL');
  throw new EmbeddedMongoError(`did not answer within ${startTimeoutMs / 1000} s; see ${places.logFile}`);
}

/** See launcher.d.mts. */
export async function startEmbeddedMongo(directory, options = {}) {
  const {
    log = () => {},
    database = 'mintwatch',
    idleMs = DEFAULT_IDLE_MS,
    sweepMs = DEFAULT_SWEEP_MS,
    startTimeoutMs = START_TIMEOUT_MS,
    alone = false,
  } = options;
  const places = placesFor(directory);
  const attach = async () => {
    const fresh = (await hold(places.controlSocket)) ?? (await launch(places, { idleMs, sweepMs, startTimeoutMs }));
    return !alone || (await claimAlone(fresh, places.directory)) ? fresh : attach();
  };

  let stopping = false;
  let held = null;
  let restarting = Promise.resolve();

  const watch = (fresh) => {
    held = fresh;
    const ended = () => {
      held = null;
      if (stopping) return;
      log('The embedded MongoDB ended unexpectedly; starting it again.');
      restarting = restart();
    };
    if (fresh.socket.destroyed) ended();
    else fresh.socket.once('close', ended);
  };

  const restart = async () => {
    let wait = FIRST_RESTART_DELAY_MS;
    while (!stopping) {
      try {
        watch(await attach());
        log(`The embedded MongoDB is up again (pid ${held.pid}).`);
        return;
      } catch (error) {
        // Tried again for as long as the app runs: a full disk, say, may be freed, and until then the app says 503.
        log(error.message);
        await delay(wait, undefined, { ref: false });
        wait = Math.min(2 * wait, LONGEST_RESTART_DELAY_MS);
      }
    }
  };

  const stop = async () => {
    stopping = true;
    await restarting;
    if (!held) return;
    const { socket, pid } = held;
    const gone = new Promise((resolve) => socket.once('close', resolve));
    socket.ref();
    socket.write('leave\n');
    const tooLong = setTimeout(killIfAlive, STOP_TIMEOUT_MS, pid);
    await gone;
    clearTimeout(tooLong);
  };

  const kill = () => {
    stopping = true;
    if (held) killIfAlive(held.pid);
  };

  watch(await attach());
  return { uri: uriOf(places, database), pid: () => held?.pid ?? null, stop, kill };
}

function killIfAlive(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended in the meantime.
  }
}
