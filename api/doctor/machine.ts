import { statfs } from 'node:fs/promises';
import { createServer } from 'node:http';
import { isIPv6 } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { healthCalls, healthSchema } from '../../common/health/http.ts';
import { SECOND } from '../../common/time.ts';
import { type Config, StartError } from '../config/config.ts';
import { closeServer, listen } from '../http/listen.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

const GIGABYTE = 1_000_000_000;
/** Below this the measured figures of api/docs/performance.md do not hold. */
const CORES_WANTED = 2;
const MEMORY_WANTED = 2 * GIGABYTE;
/** A day of the default market takes about a gigabyte (api/docs/operations.md, Disk). */
const DISK_WANTED = 5 * GIGABYTE;
const DISK_NEEDED = GIGABYTE;
const HEALTH_TIMEOUT = 3 * SECOND;

export function checkMachine(cores = os.availableParallelism(), memory = os.totalmem()): Finding {
  const text = `${cores} cores, ${gigabytes(memory)} of memory.`;
  if (cores >= CORES_WANTED && memory >= MEMORY_WANTED) return ok('machine', text);
  return warn('machine', `${text} Two cores and 2 GB are what it was measured on; less makes it slow.`);
}

/** `glibc`: the version of this system; missing where there is none. */
export function checkGlibc(mongoUri: string | null, isSupported: () => void, glibc: string | undefined): Finding {
  const found = glibc === undefined ? 'No glibc.' : `glibc ${glibc}.`;
  if (mongoUri !== null) return ok('glibc', `${found} MONGODB_URI is set, so the embedded MongoDB is not used.`);
  try {
    isSupported();
    return ok('glibc', `${found} The embedded MongoDB runs here.`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return fail('glibc', `The embedded MongoDB ${reason}. Set MONGODB_URI to a MongoDB server.`);
  }
}

export async function checkDisk(dataDir: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(await existingPart(dataDir));
  const free = bavail * bsize;
  const text = `${gigabytes(free)} free for DATA_DIR.`;
  if (free < DISK_NEEDED) return fail('disk', `${text} Free some space, or set DATA_DIR to another disk.`);
  return free < DISK_WANTED
    ? warn('disk', `${text} Lower MARKET_MEGABYTES and TAPE_MEGABYTES, or free some space.`)
    : ok('disk', text);
}

/** Returns the folder, or its nearest parent that exists. */
async function existingPart(folder: string): Promise<string> {
  try {
    await statfs(folder);
    return folder;
  } catch {
    return existingPart(path.dirname(folder));
  }
}

/** Checks the ports of the server and of the local chain. A running Mintwatch has them by itself. */
export async function checkPorts({ host, port, solanaRpcUrl, localChainPort }: Config): Promise<Finding[]> {
  const at = `${host}:${port}`;
  const refusal = await listenRefusal(host, port);
  if (refusal?.isTaken && (await isMintwatch(host, port))) return [ok('port', `${at} is used by a running Mintwatch.`)];
  if (refusal?.isTaken) return [fail('port', `${at} is used by another program. Stop it, or set PORT.`)];
  if (refusal) return [fail('port', refusal.message)];
  const usesLocalChain = solanaRpcUrl === null && localChainPort !== 0;
  const isChainFree = !usesLocalChain || (await listenRefusal('127.0.0.1', localChainPort)) === null;
  const taken = `${localChainPort} is taken, so the local chain uses another one. Set LOCAL_CHAIN_PORT for a fixed one.`;
  return [ok('port', `${at} is free.`), ...(isChainFree ? [] : [warn('port', taken)])];
}

/** Resolves with whether a Mintwatch responds at this address. */
async function isMintwatch(host: string, port: number): Promise<boolean> {
  try {
    const url = new URL(`http://${isIPv6(host) ? `[${host}]` : host}:${port}${healthCalls.health.path}`);
    const reply = await fetch(url, { signal: AbortSignal.timeout(HEALTH_TIMEOUT) });
    return healthSchema.safeParse(await reply.json()).success;
  } catch {
    return false;
  }
}

/** Resolves with why a server cannot listen there; null when it can. */
async function listenRefusal(host: string, port: number): Promise<{ isTaken: boolean; message: string } | null> {
  const server = createServer();
  try {
    await listen(server, host, port);
    await closeServer(server);
    return null;
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    const { cause, message } = error;
    return { isTaken: cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE', message };
  }
}

function gigabytes(bytes: number): string {
  return `${(bytes / GIGABYTE).toFixed(1)} GB`;
}
