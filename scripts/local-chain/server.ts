/** The process of the local chain. Its launcher talks to it over IPC; when that breaks, the process ends. */
import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import bs58 from 'bs58';
import { failureCode } from '../steps/start-error.mjs';
import { LocalChainError } from './errors.ts';
import type { ServerMessage, ServerSettings } from './launcher.ts';
import { createEngine } from './ledger/engine.ts';
import { createHistory } from './ledger/history.ts';
import { createLedger } from './ledger/ledger.ts';
import { continuedBase, createSlots, OPENING_SLOT } from './ledger/slots.ts';
import { restoreAccounts } from './ledger/transaction-accounts.ts';
import { claimDirectory } from './lock.ts';
import { installLaunchpad, launchpadKey as launchpadKeyOf } from './program/launchpad.ts';
import { SYSTEM_PROGRAM } from './rpc/account-json.ts';
import { createDispatch } from './rpc/dispatch.ts';
import { createFaucet, newFaucet } from './rpc/faucet.ts';
import { createFaults, noInterference } from './rpc/faults.ts';
import { createHttpServer } from './rpc/http-server.ts';
import { createMethods } from './rpc/methods.ts';
import { createPubSub } from './rpc/pubsub.ts';
import type { Genesis } from './storage/records.ts';
import { openStorage } from './storage/storage.ts';

/** Loopback: the chain is for this machine only. */
const HOST = '127.0.0.1';
/** A restarted chain waits this long for the port that its clients know. */
const PORT_WAIT_MS = 10_000;
const RETRY_MS = 50;
/** In use, or reserved by the system: another port will do. */
const TAKEN = ['EADDRINUSE', 'EACCES'];

/** Longer than a blockhash is valid: no transaction may run twice. */
const REMEMBER_MS = 5 * 60_000;

const log = (line: string): void => console.log(`${new Date().toISOString()} ${line}`);

/** Returns the first state of a new chain. */
function newGenesis(slotMs: number): Genesis {
  const { address, secretKey, lamports } = newFaucet();
  const genesis = bs58.encode(randomBytes(32));
  const seed = randomBytes(32).toString('base64');
  return {
    identity: { genesis, seed, faucet: secretKey },
    base: { slot: OPENING_SLOT, atMs: Date.now(), slotMs },
    accounts: [[address, [String(lamports), '', SYSTEM_PROGRAM, false]]],
  };
}

/** Opens the chain of the working directory: storage, then ledger, then RPC. */
async function openChain(settings: ServerSettings) {
  const { directory, slotMs, historyLimit, linesPerFile, accountBytes, faucetLimits, testing } = settings;
  const engine = createEngine();
  await claimDirectory(directory);
  const storage = openStorage(directory, {
    genesis: () => newGenesis(slotMs),
    historyLimit,
    rememberMs: REMEMBER_MS,
    linesPerFile,
    now: Date.now,
    log,
    onFailure(error) {
      // No client has a response for transactions that are only in memory. The next process continues from the disk.
      console.error('write failed:', error);
      process.exit(1);
    },
  });
  await storage.begin(continuedBase(storage.base, storage.lastSlot, slotMs, Date.now()));
  const { genesis, faucet } = storage.identity;
  const seed = Buffer.from(storage.identity.seed, 'base64');
  installLaunchpad(engine, seed);
  restoreAccounts(engine, storage.accounts);
  const slots = createSlots({ base: storage.base, seed, nowMs: Date.now() });
  const history = createHistory(historyLimit);
  for (const record of storage.takeRecords()) history.add(record);
  const ledger = createLedger({ engine, slots, history, storage, now: Date.now, accountBytes });
  const airdrop = createFaucet({ secretKey: bs58.decode(faucet), ledger, slots, history, limits: faucetLimits });
  const parts = { engine, slots, history, ledger, airdrop, genesis, transactionCount: storage.sequence };
  const methods = createMethods(parts);
  const interference = testing ? createFaults(slots) : noInterference;
  const dispatch = createDispatch({ methods, interference, whenAllWritten: ledger.whenAllWritten, log });
  const launchpadKey = bs58.encode(launchpadKeyOf(seed).secretKey);
  return { storage, slots, ledger, launchpadKey, http: createHttpServer(dispatch), pubSub: createPubSub(parts) };
}

async function serve(settings: ServerSettings): Promise<void> {
  process.chdir(settings.directory);
  process.umask(0o077);
  const { storage, slots, ledger, http, pubSub, launchpadKey } = await openChain(settings);
  http.on('upgrade', pubSub.upgrade);
  const port = await listenOnLoopback(http, settings.port, settings.exactPort);

  const stopping = new AbortController();
  const stop = async (reason: string): Promise<void> => {
    if (stopping.signal.aborted) return;
    stopping.abort();
    log(`closing: ${reason}`);
    pubSub.close();
    http.close();
    http.closeAllConnections();
    await storage.close(slots.slot());
    process.exit(0);
  };
  process.on('message', (message) => message === 'stop' && void stop('stop requested'));
  process.on('disconnect', () => void stop('the launcher has ended'));
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => void stop(signal));
  log(`serving ${settings.directory} on port ${port} (pid ${process.pid})`);
  if (!process.connected) await stop('the launcher has ended'); // during this start
  sendToLauncher({ port, launchpadKey });
  while (!stopping.signal.aborted) {
    ledger.advance();
    await delay(slots.untilNext(Date.now()));
  }
}

/** Sends the first message. `then` also runs when the launcher has ended. */
function sendToLauncher(message: ServerMessage, then: () => void = () => {}): void {
  if (process.send) process.send(message, undefined, undefined, then);
  else then();
}

try {
  await serve(JSON.parse(process.argv[2] ?? ''));
} catch (error) {
  const isStartError = error instanceof Error && error.name === 'StartError';
  console.error(isStartError ? error.message : error);
  const code = isStartError && 'code' in error && error.code === 'unsupported' ? error.code : undefined;
  const failure = error instanceof Error ? error.message : String(error);
  sendToLauncher({ failure, isStartError, code }, () => process.exit(1));
}

/** Resolves with the failure, or with null when the server listens. */
function listen(server: Server, port: number): Promise<Error | null> {
  return new Promise((resolve) => {
    server.once('error', resolve);
    server.listen(port, HOST, () => {
      server.off('error', resolve);
      resolve(null);
    });
  });
}

/** Listens on `port` (0: any), or on any other when it is taken and not `exact`. Resolves with the port. */
async function listenOnLoopback(server: Server, port: number, exact: boolean): Promise<number> {
  const deadline = Date.now() + PORT_WAIT_MS;
  for (let error = await listen(server, port); error; error = await listen(server, exact ? port : 0)) {
    const isOver = exact && Date.now() > deadline;
    if (isOver || !TAKEN.includes(failureCode(error))) {
      throw new LocalChainError(`cannot listen on port ${port} (${failureCode(error)})`, { cause: error });
    }
    if (exact) await delay(RETRY_MS);
  }
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}
