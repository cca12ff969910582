/** Starts the local chain, keeps it up while it is wanted, and stops it. Types: launcher.d.mts. */
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, realpathSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { LocalChainError } from './errors.mjs';

const serverFile = fileURLToPath(new URL('./server.mjs', import.meta.url));

/** Reading a long history takes a second or two; a machine under load takes its time. */
const START_TIMEOUT_MS = 30_000;
/** Long enough to write the state; after it the journal is as good. */
const STOP_TIMEOUT_MS = 2_000;
const FIRST_RESTART_DELAY_MS = 100;
const LONGEST_RESTART_DELAY_MS = 5_000;
/** A chain that ran so long before it died starts again at once. */
const HEALTHY_MS = 10_000;
/** The log is turned over at a start when it has grown past this. */
const LONGEST_LOG_BYTES = 1_000_000;
/** What the child gets of our environment: nothing in it may be a secret. */
const PASSED_ON = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'TZ', 'LD_LIBRARY_PATH'];

const defaults = {
  port: 0,
  slotMs: 400,
  historyLimit: 20_000,
  linesPerFile: 2_000,
  faucetLimits: { perRecipient: 10, total: 100 },
  testing: false,
};

function prepare(directory) {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const resolved = realpathSync(directory);
    const logFile = path.join(resolved, 'local-chain.log');
    if (statSync(logFile, { throwIfNoEntry: false })?.size > LONGEST_LOG_BYTES) renameSync(logFile, `${logFile}.1`);
    closeSync(openSync(logFile, 'a', 0o600));
    return { resolved, logFile };
  } catch (error) {
    throw new LocalChainError(`cannot write to ${directory} (${error.code})`, { cause: error });
  }
}

/** What a process that said nothing has left in its log. */
function lastWords(logFile, since) {
  return readFileSync(logFile).subarray(since).toString().trim().split('\n').at(-1);
}

/** Spawns the chain's process; resolves when it serves. */
async function launch(settings, logFile) {
  const log = openSync(logFile, 'a', 0o600);
  const since = statSync(logFile).size;
  const env = Object.fromEntries(PASSED_ON.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
  // Detached: a Ctrl-C reaches every process of the terminal's group, and the app may still be sending.
  const stdio = ['ignore', log, log, 'ipc'];
  const child = spawn(process.execPath, [serverFile, JSON.stringify(settings)], { detached: true, stdio, env });
  closeSync(log);
  const deadline = setTimeout(() => child.kill('SIGKILL'), START_TIMEOUT_MS);
  let ended = () => {};
  try {
    const said = await new Promise((resolve, reject) => {
      child.once('message', resolve);
      child.once('error', reject);
      ended = (_, signal) => resolve({ failed: lastWords(logFile, since) || `ended by ${signal}` });
      child.once('exit', ended);
    });
    if (said.port !== undefined) return { child, port: said.port };
    if (said.known) throw Object.assign(new Error(said.failed), { name: 'StartError', code: said.code });
    throw new LocalChainError(`did not start: ${said.failed}; see ${logFile}`);
  } finally {
    clearTimeout(deadline);
    child.off('exit', ended);
  }
}

/** See launcher.d.mts. */
export async function startLocalChain(directory, options = {}) {
  const { log = () => {}, ...given } = options;
  const { resolved, logFile } = prepare(directory);
  const settings = { ...defaults, ...given, directory: resolved, exactPort: false };
  const waiting = new AbortController();

  let stopping = false;
  let running = null;
  let restarting = Promise.resolve();
  let wait = FIRST_RESTART_DELAY_MS;

  const watch = ({ child, port }) => {
    running = child;
    settings.port = port;
    settings.exactPort = true; // its clients know this one
    const begun = Date.now();
    const ended = () => {
      running = null;
      if (stopping) return;
      log('The local chain ended unexpectedly; starting it again.');
      if (Date.now() - begun > HEALTHY_MS) wait = FIRST_RESTART_DELAY_MS;
      restarting = restart();
    };
    // The app's end is the chain's; the chain alone keeps no app running.
    child.unref();
    child.channel.unref();
    if (child.exitCode !== null || child.signalCode !== null) ended();
    else child.once('exit', ended);
  };

  const restart = async () => {
    while (!stopping) {
      // One that dies as soon as it is up must not keep the machine busy.
      await delay(wait, undefined, { ref: false, signal: waiting.signal }).catch(() => {});
      wait = Math.min(2 * wait, LONGEST_RESTART_DELAY_MS);
      if (stopping) return;
      try {
        watch(await launch(settings, logFile));
        log(`The local chain is up again (pid ${running?.pid}).`);
        return;
      } catch (error) {
        log(error.message); // tried again: a full disk, say, may be freed
      }
    }
  };

  const stop = async () => {
    stopping = true;
    waiting.abort();
    await restarting;
    const child = running;
    if (!child) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.ref();
    if (child.connected) child.send('stop', () => {}); // one that is ending by itself hears no more
    const tooLong = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await gone;
    clearTimeout(tooLong);
  };

  const kill = () => {
    stopping = true;
    waiting.abort();
    running?.kill('SIGKILL');
  };

  watch(await launch(settings, logFile));
  return {
    rpcUrl: `http://127.0.0.1:${settings.port}`,
    wsUrl: `ws://127.0.0.1:${settings.port}`,
    port: settings.port,
    pid: () => running?.pid ?? null,
    stop,
    kill,
  };
}
