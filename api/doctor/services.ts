import path from 'node:path';
import type { Logger } from 'pino';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { SECOND } from '../../common/time.ts';
import { chainEndpoint, endpointLabel } from '../chain/endpoint.ts';
import { RpcError } from '../chain/rpc-error.ts';
import { createRpcFetch, defaultLimits } from '../chain/rpc-fetch.ts';
import { type Config, StartError } from '../config/config.ts';
import { readPrivateFile } from '../config/private-file.ts';
import { SESSION_KEY_FILE } from '../http/session-keys.ts';
import { readKeptMasterKeys } from '../keys/master-key-file.ts';
import { checkDirectoryFormat } from '../platform/data-format.ts';
import { connectDatabase } from '../platform/database.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

const TIMEOUT = 5 * SECOND;
/** The oldest MongoDB server that it is used with. */
const MONGODB_NEEDED = 7;
/** Signatures and codes of two-step login allow for half a minute. */
const CLOCK_TOLERANCE = 30 * SECOND;

/** Checks the data directory's format and the files of keys in it; none exist before the first start. */
export async function checkData(
  { dataDir, walletMasterKeys, sessionKeys }: Config,
  exists: boolean,
): Promise<Finding[]> {
  if (!exists) return [ok('data', 'DATA_DIR is new; the first start makes its keys.')];
  const checks: [string, string, () => Promise<unknown>][] = [
    ['data', 'DATA_DIR has a format that this version reads.', () => checkDirectoryFormat(dataDir)],
    [
      'keys',
      walletMasterKeys
        ? 'The wallets are protected by WALLET_MASTER_KEY.'
        : "The wallets' master key is in order. Keep a copy.",
      async () => walletMasterKeys ?? (await readKeptMasterKeys(dataDir)),
    ],
    [
      'keys',
      'The session keys are in order.',
      async () => sessionKeys ?? (await readPrivateFile(path.join(dataDir, SESSION_KEY_FILE))),
    ],
  ];
  return Promise.all(
    checks.map(async ([subject, text, check]) => {
      try {
        await check();
        return ok(subject, text);
      } catch (error) {
        return fail(subject, reasonOf(error));
      }
    }),
  );
}

export async function checkMongo(uri: string, log: Logger): Promise<Finding> {
  try {
    const connection = await connectDatabase(uri, log, 0);
    try {
      const { version } = z.object({ version: z.string() }).parse(await connection.db?.admin().serverInfo());
      const startedAt = performance.now();
      await connection.db?.command({ ping: 1 });
      const text = `MongoDB ${version} responds in ${(performance.now() - startedAt).toFixed(1)} ms.`;
      return Number.parseInt(version, 10) >= MONGODB_NEEDED
        ? ok('mongodb', text)
        : fail('mongodb', `${text} It needs version ${MONGODB_NEEDED} or newer.`);
    } finally {
      await connection.close();
    }
  } catch (error) {
    return fail('mongodb', `${reasonOf(error)} Check MONGODB_URI.`);
  }
}

const rpcResponse = z.object({ error: z.object({ message: z.string() }).optional() });
const versionResponse = z
  .object({ result: z.object({ 'solana-core': z.string() }) })
  .transform(({ result }) => ({ version: result['solana-core'] }));

/** Methods that Mintwatch calls, with the consequence where a node lacks one. */
const METHODS: readonly [method: string, params: readonly unknown[], without: string][] = [
  ['getLatestBlockhash', [], 'no transaction can be sent'],
  ['getRecentPerformanceSamples', [1], 'slots count as 400 ms'],
  ['getRecentPrioritizationFees', [[]], 'priority fees are the least ones'],
  ['getMinimumBalanceForRentExemption', [165], 'rent is that of October 2026'],
  ['getTokenLargestAccounts', ['So11111111111111111111111111111111111111112'], 'holders stay unknown'],
];

/** Checks the clock and the node of SOLANA_RPC_URL: what it supports, and its WebSocket. */
export async function checkChain(config: Config): Promise<Finding[]> {
  const endpoint = chainEndpoint(config, undefined);
  if (endpoint === null)
    return [ok('chain', 'No SOLANA_RPC_URL: the local chain is used, and the clock is not compared.')];
  const { rpcUrl, wsUrl, cluster } = endpoint;
  const name = endpointLabel(rpcUrl);
  const limits = { ...defaultLimits, timeoutMs: TIMEOUT, retries: 0 };
  const rpc = createRpcFetch({ now: () => performance.now(), random: Math.random, limits });
  try {
    const response = await rpc.request(rpcUrl, 'getVersion', []);
    const { version } = versionResponse.parse(await response.json());
    const findings = [
      ok('chain', `${name} (${cluster}) runs version ${version}.`),
      clockOf(response.headers.get('date')),
    ];
    for (const [method, params, without] of METHODS) {
      const refusal = await refusalOf(rpc.call(rpcUrl, method, params));
      if (refusal !== null) findings.push(warn('chain', `${name} refuses ${method} (${refusal}): ${without}.`));
    }
    findings.push(await checkPubSub(wsUrl));
    return findings;
  } catch (error) {
    return [
      fail(
        'chain',
        `${name} does not respond as a Solana node (${reasonOf(error)}). Check SOLANA_RPC_URL and its key.`,
      ),
    ];
  }
}

/** Resolves with why the node refuses a call; null when it does not. Rejects when it does not respond. */
async function refusalOf(call: Promise<unknown>): Promise<string | null> {
  try {
    return rpcResponse.parse(await call).error?.message ?? null;
  } catch (error) {
    if (error instanceof RpcError && error.status !== null) return error.message;
    throw error;
  }
}

/** `date`: the node's time, accurate to a second; null when it sends none. */
function clockOf(date: string | null, now = Date.now()): Finding {
  if (date === null) return ok('clock', 'The node sends no time to compare with.');
  const off = now - Date.parse(date);
  const seconds = Math.round(Math.abs(off) / SECOND);
  if (Math.abs(off) <= CLOCK_TOLERANCE) return ok('clock', `Within ${seconds} s of the node's.`);
  return fail(
    'clock',
    `It is ${seconds} s ${off > 0 ? 'ahead' : 'behind'}. Synchronise it, for example with systemd-timesyncd.`,
  );
}

function checkPubSub(url: string): Promise<Finding> {
  const name = endpointLabel(url);
  return new Promise((resolve) => {
    const socket = new WebSocket(url, { handshakeTimeout: TIMEOUT });
    const end = (finding: Finding) => {
      socket.terminate();
      resolve(finding);
    };
    socket.once('open', () => end(ok('chain', `${name} accepts WebSockets.`)));
    socket.once('error', (error) =>
      end(fail('chain', `${name} accepts no WebSocket (${error.message}). Set SOLANA_WS_URL.`)),
    );
  });
}

function reasonOf(error: unknown): string {
  // Neither names an address, which may hold a key.
  if (error instanceof StartError || error instanceof RpcError) return error.message;
  return error instanceof Error ? error.name : typeof error;
}
