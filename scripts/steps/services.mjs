/** Starts the services of a server: its database and its chain. */
import path from 'node:path';
import { built } from './command.mjs';

/** @typedef {typeof import('../embedded-mongo/launcher.ts')} MongoLauncher */
/** @typedef {typeof import('../local-chain/launcher.ts')} ChainLauncher */
/** @typedef {typeof import('../jupiter-emulator/emulator.ts')} Emulator */

/**
 * @typedef {object} Context
 * @property {(detail: string) => void} report shows the result of the step
 * @property {(line: string) => void} print prints a line later, such as that a service was restarted
 * @property {(part: import('./shutdown.mjs').Part) => void} add registers a part to stop at the end
 */

/** @returns {Promise<MongoLauncher>} */
const builtMongo = () => built('scripts/embedded-mongo/launcher.js');

/** @returns {Promise<Pick<ChainLauncher, 'startLocalChain'>>} */
const builtChain = () => built('scripts/local-chain/launcher.js');

/** @returns {Promise<Pick<Emulator, 'startJupiterEmulator'>>} */
const builtEmulator = () => built('scripts/jupiter-emulator/emulator.js');

/**
 * Starts the embedded MongoDB in the data directory, unless MONGODB_URI names a server.
 * @param {{ dataDir: string, mongoUri: string | null }} config `dataDir` is absolute
 * @param {Context} context
 * @param {{ alone?: boolean, onDiagnosis?: (line: string) => void, load?: () => Promise<MongoLauncher> }} [options] `alone: false`
 *   also starts beside a Mintwatch that runs on the same directory; `onDiagnosis` receives why the database gave up later
 * @returns {Promise<string>} its URI
 */
export async function startMongo({ dataDir, mongoUri }, { report, print, add }, options = {}) {
  const { alone = true, onDiagnosis, load = builtMongo } = options;
  if (mongoUri !== null) {
    report('the server of MONGODB_URI');
    return mongoUri;
  }
  const { startEmbeddedMongo } = await load();
  const directory = path.join(dataDir, 'mongo');
  const mongo = await startEmbeddedMongo(directory, { log: print, onDiagnosis, alone });
  add({ stop: () => mongo.stop(), force: () => mongo.kill() });
  report(`embedded (pid ${mongo.pid()}), data in ${directory}`);
  return mongo.uri;
}

/**
 * Starts the local chain in the data directory, for wallets and transfers, unless SOLANA_RPC_URL names a cluster. Beside it runs the
 * emulator of Jupiter, for trades in its pools.
 * @param {{ dataDir: string, solanaRpcUrl: string | null, localChainPort: number }} config `dataDir` is absolute
 * @param {Context} context
 * @param {() => Promise<Pick<ChainLauncher, 'startLocalChain'>>} [load]
 * @param {() => Promise<Pick<Emulator, 'startJupiterEmulator'>>} [loadEmulator]
 * @returns {Promise<{ rpcUrl: string, wsUrl: string, launchpadKey: string, swapUrl: string } | undefined>} the key is a secret
 */
export async function startChain(config, { report, print, add }, load = builtChain, loadEmulator = builtEmulator) {
  const { dataDir, solanaRpcUrl, localChainPort } = config;
  if (solanaRpcUrl !== null) {
    report('the cluster of SOLANA_RPC_URL instead'); // not shown: the URL may hold a key
    return undefined;
  }
  const { startLocalChain } = await load();
  try {
    const chain = await startLocalChain(path.join(dataDir, 'chain'), { log: print, port: localChainPort });
    add({ stop: () => chain.stop(), force: () => chain.kill() });
    const elsewhere = localChainPort !== 0 && chain.port !== localChainPort;
    report(`at ${chain.rpcUrl}${elsewhere ? ` (port ${localChainPort} is taken)` : ''} (pid ${chain.pid()})`);
    const { startJupiterEmulator } = await loadEmulator();
    const emulator = await startJupiterEmulator({ rpcUrl: chain.rpcUrl });
    add({ stop: () => emulator.stop() });
    const { rpcUrl, wsUrl, launchpadKey } = chain;
    return { rpcUrl, wsUrl, launchpadKey, swapUrl: emulator.url };
  } catch (error) {
    const isUnsupported = error instanceof Error && 'code' in error && error.code === 'unsupported';
    if (!isUnsupported) throw error;
    // Everything except the wallet works without a chain, and the wallet page explains that.
    report(`none. ${error.message}`);
    return undefined;
  }
}
