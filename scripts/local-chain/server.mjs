/** The process of the local chain. The launcher speaks to it over IPC; when that breaks, it ends by itself. */
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import bs58 from 'bs58';
import { createEngine } from './engine.mjs';
import { createFaucet, FAUCET_LAMPORTS, newFaucet } from './faucet.mjs';
import { createFaults, noInterference } from './faults.mjs';
import { createHistory } from './history.mjs';
import { createRpcServer } from './http-server.mjs';
import { createLedger, restoreAccounts } from './ledger.mjs';
import { claimDirectory } from './lock.mjs';
import { createMethods } from './methods.mjs';
import { listenSomewhere, tryListen } from './ports.mjs';
import { createPubSub } from './pubsub.mjs';
import { createRpc } from './rpc.mjs';
import { createSlots, OPENING_SLOT, slotAt } from './slots.mjs';
import { openStorage } from './storage.mjs';

const SYSTEM_PROGRAM = '11111111111111111111111111111111';
const log = (line) => console.log(`${new Date().toISOString()} ${line}`);

/** @typedef {import('./launcher.d.mts').ServerSettings} Settings */

/** A chain that has never been. */
function fresh(slotMs) {
  const faucet = newFaucet();
  return {
    identity: {
      genesis: bs58.encode(randomBytes(32)),
      seed: randomBytes(32).toString('base64'),
      faucet: faucet.secretKey,
    },
    base: { slot: OPENING_SLOT, atMs: Date.now(), slotMs },
    accounts: [[faucet.address, [String(FAUCET_LAMPORTS), '', SYSTEM_PROGRAM, false]]],
  };
}

/** Where the slots go on: where they would be, or behind the last one that was seen, should the clock have gone back. */
function continuedBase(base, lastSlot, slotMs) {
  const nowMs = Date.now();
  const slot = slotAt(base, nowMs);
  if (slot > lastSlot && base.slotMs === slotMs) return base;
  return { slot: Math.max(slot, lastSlot + 1), atMs: nowMs, slotMs };
}

/** @param {Settings} settings */
async function openChain({ directory, slotMs, historyLimit, linesPerFile, faucetLimits, testing }) {
  const engine = createEngine();
  await claimDirectory(directory);
  const storage = openStorage(directory, {
    fresh: () => fresh(slotMs),
    historyLimit,
    // As long as a blockhash counts, and some more: no transaction may run twice.
    rememberMs: 5 * 60_000,
    linesPerFile,
    now: Date.now,
    log,
    onFailure(error) {
      // What is in memory was never answered and did not happen: the next process begins with what is on disk.
      console.error(`cannot write: ${error.message}`);
      process.exit(1);
    },
  });
  await storage.begin(continuedBase(storage.base, storage.lastSlot, slotMs));
  restoreAccounts(engine, storage.accounts);
  const seed = Buffer.from(storage.identity.seed, 'base64');
  const slots = createSlots({ base: storage.base, seed, nowMs: Date.now() });
  const history = createHistory(historyLimit);
  for (const record of storage.takeRecords()) history.add(record);
  const ledger = createLedger({ engine, slots, history, storage, now: Date.now });
  const secretKey = bs58.decode(storage.identity.faucet);
  const airdrop = createFaucet({ secretKey, ledger, slots, history, limits: faucetLimits });
  const { genesis } = storage.identity;
  const methods = createMethods({
    engine,
    slots,
    history,
    ledger,
    airdrop,
    genesis,
    transactionCount: storage.sequence,
  });
  const interference = testing ? createFaults({ slots }) : noInterference;
  return {
    storage,
    slots,
    ledger,
    rpc: createRpc({ methods, interference, whenAllWritten: ledger.whenAllWritten, log }),
    pubSub: createPubSub({ engine, slots, history, ledger }),
  };
}

/** @param {Settings} settings */
async function serve(settings) {
  process.chdir(settings.directory);
  process.umask(0o077);
  const { storage, slots, ledger, rpc, pubSub } = await openChain(settings);

  const http = createRpcServer(rpc);
  http.on('upgrade', pubSub.upgrade);
  const port = await listenSomewhere(http, settings.port, settings.exactPort);
  // Where web3.js looks for PubSub unless it is told otherwise. Nothing of ours needs it.
  const second = createServer((_, response) => response.writeHead(426).end());
  second.maxConnections = http.maxConnections;
  second.on('upgrade', pubSub.upgrade);
  second.on('clientError', (_, socket) => socket.destroy());
  await tryListen(second, port + 1);

  let timer;
  const tick = () => {
    ledger.advance();
    timer = setTimeout(tick, slots.untilNext(Date.now()));
  };
  tick();

  let stopping = false;
  const stop = async (why) => {
    if (stopping) return;
    stopping = true;
    log(`closing: ${why}`);
    clearTimeout(timer);
    pubSub.close();
    for (const server of [http, second]) {
      server.close();
      server.closeAllConnections();
    }
    await storage.close(slots.slot());
    process.exit(0);
  };
  process.on('message', (message) => message === 'stop' && void stop('asked to'));
  process.on('disconnect', () => void stop('the launcher is gone'));
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => void stop(signal));
  log(`serving ${settings.directory} on port ${port} (pid ${process.pid})`);
  if (!process.connected) await stop('the launcher is gone'); // it went while this started
  process.send({ port });
}

try {
  await serve(JSON.parse(process.argv[2]));
} catch (error) {
  console.error(error.name === 'StartError' ? error.message : error);
  const failure = { failed: error.message, known: error.name === 'StartError', code: error.code };
  // The launcher may be gone as well.
  process.send(failure, () => process.exit(1));
}
