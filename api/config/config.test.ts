import path from 'node:path';
import { expect, test } from 'vitest';
import { readConfig, StartError } from './config.ts';
import { DEFAULT_ACCOUNTS } from './sources.ts';

function refusal(env: Record<string, string>): string {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof StartError) return error.message;
    throw error;
  }
  return 'accepted';
}

/** What the processes of a server have in common. */
const SHARED = {
  MONGODB_URI: 'mongodb://mongo/mintwatch',
  REDIS_URL: 'redis://redis',
  CHANNEL_SECRET: 'c'.repeat(24),
  SESSION_KEYS: 'one-of-the-session-keys',
};

const MARKET_TAKES =
  'takes simulator, solana, launchlab, meteora-dbc, pumpportal, jupiter, solana-tracker, dexscreener, solscan, solanafm, token-list, rugcheck ' +
  'and replay:<file>, or off alone';

test('an empty environment gives the documented defaults', () => {
  expect(readConfig({})).toEqual({
    host: '127.0.0.1',
    port: 3000,
    trustedProxies: [],
    dataDir: path.resolve('.data'),
    roles: new Set(['http', 'realtime', 'worker']),
    channel: { secret: null, host: '127.0.0.1', port: 0 },
    leaseMs: 7_000,
    mongoUri: null,
    redisUrl: null,
    adminUsername: 'admin',
    adminPassword: null,
    sessionKeys: null,
    walletMasterKeys: null,
    directAdminKey: null,
    metricsToken: null,
    market: [{ kind: 'simulator' }],
    sources: {
      keys: {
        jupiter: null,
        'solana-tracker': null,
        solscan: null,
        solanafm: null,
        rugcheck: null,
        pumpportal: null,
      },
      jupiterPlan: 'free',
      solanaTrackerPlan: 'free',
      xBearerToken: null,
      xAccounts: DEFAULT_ACCOUNTS,
      urls: {},
    },
    marketRate: 20,
    marketSeed: null,
    solUsd: null,
    solanaRpcUrl: null,
    solanaWsUrl: null,
    solanaBrowserRpcUrl: null,
    solanaSendUrls: [],
    jupiterSwapUrl: null,
    trading: null,
    localChainPort: 8899,
    telegramBotUsername: null,
    telegramBotToken: null,
    telegramApiRoot: 'https://api.telegram.org',
    publicUrl: null,
    isHttps: false,
    replaySpeed: 1,
    replayTimes: 'shifted',
    marketBytes: 5_000_000_000,
    tape: { hours: 72, bytes: 2_000_000_000 },
    logLevel: 'warn',
  });
});

test('a blank variable counts as unset', () => {
  expect(readConfig({ PORT: '', MARKET: '  ', MONGODB_URI: '' })).toEqual(readConfig({}));
});

test('every variable is read', () => {
  const config = readConfig({
    HOST: '0.0.0.0',
    PORT: '8080',
    TRUSTED_PROXIES: '10.0.0.0/8, fd00::1',
    DATA_DIR: '/data',
    ROLES: 'http, realtime',
    CHANNEL_SECRET: 'c'.repeat(24),
    CHANNEL_HOST: '10.0.0.7',
    CHANNEL_PORT: '4000',
    LEASE_SECONDS: '20',
    MONGODB_URI: 'mongodb://one:27017,two:27017/mintwatch?replicaSet=r',
    REDIS_URL: 'rediss://user:secret@redis:6380',
    ADMIN_USERNAME: 'root',
    ADMIN_PASSWORD: ' pass word ',
    SESSION_KEYS: 'the-newest-of-the-keys, the-one-before-that',
    WALLET_MASTER_KEY: `${'0f'.repeat(32)}, ${'A'.repeat(43)}=`,
    DIRECT_ADMIN_KEY: 'k'.repeat(24),
    MARKET: 'solana, replay:/frames.jsonl, jupiter,token-list',
    JUPITER_API_KEY: 'jupiter-key',
    JUPITER_PLAN: 'developer',
    SOLANA_TRACKER_API_KEY: 'tracker-key',
    SOLANA_TRACKER_PLAN: 'starter',
    SOLSCAN_API_KEY: 'solscan-key',
    SOLANAFM_API_KEY: 'solanafm-key',
    RUGCHECK_API_KEY: 'rugcheck-key',
    PUMPPORTAL_API_KEY: 'pumpportal-key',
    X_BEARER_TOKEN: 'x-token',
    X_ACCOUNTS: 'first, @second',
    SOURCE_URLS: 'jupiter=http://127.0.0.1:4000/, pumpportal=ws://127.0.0.1:4001/api',
    MARKET_RATE: '60',
    MARKET_SEED: '7',
    SOL_USD: '151.5',
    SOLANA_RPC_URL: 'https://rpc.example/?key=1',
    SOLANA_BROWSER_RPC_URL: 'https://rpc.example/',
    SOLANA_SEND_URLS: 'https://one.example, https://two.example/x',
    JUPITER_SWAP_URL: 'https://api.jup.ag/',
    TRADING: 'live',
    LOCAL_CHAIN_PORT: '0',
    TELEGRAM_BOT_USERNAME: '@mintwatch_bot',
    TELEGRAM_BOT_TOKEN: '42:AAbb-cc_dd',
    TELEGRAM_API_ROOT: 'http://127.0.0.1:8081/',
    PUBLIC_URL: 'https://mintwatch.example/',
    REPLAY_SPEED: '0',
    REPLAY_TIMES: 'recorded',
    MARKET_MEGABYTES: '900',
    TAPE_HOURS: '5',
    TAPE_MEGABYTES: '7',
    LOG_LEVEL: 'debug',
  });
  expect(config).toEqual({
    host: '0.0.0.0',
    port: 8080,
    trustedProxies: ['10.0.0.0/8', 'fd00::1'],
    dataDir: '/data',
    roles: new Set(['http', 'realtime']),
    channel: { secret: 'c'.repeat(24), host: '10.0.0.7', port: 4000 },
    leaseMs: 20_000,
    mongoUri: 'mongodb://one:27017,two:27017/mintwatch?replicaSet=r',
    redisUrl: 'rediss://user:secret@redis:6380',
    adminUsername: 'root',
    adminPassword: ' pass word ',
    sessionKeys: ['the-newest-of-the-keys', 'the-one-before-that'],
    walletMasterKeys: ['0f'.repeat(32), `${'A'.repeat(43)}=`],
    directAdminKey: 'k'.repeat(24),
    metricsToken: null,
    market: [
      { kind: 'solana' },
      { kind: 'replay', file: '/frames.jsonl' },
      { kind: 'jupiter' },
      { kind: 'token-list' },
    ],
    sources: {
      keys: {
        jupiter: 'jupiter-key',
        'solana-tracker': 'tracker-key',
        solscan: 'solscan-key',
        solanafm: 'solanafm-key',
        rugcheck: 'rugcheck-key',
        pumpportal: 'pumpportal-key',
      },
      jupiterPlan: 'developer',
      solanaTrackerPlan: 'starter',
      xBearerToken: 'x-token',
      xAccounts: ['first', 'second'],
      urls: { jupiter: 'http://127.0.0.1:4000', pumpportal: 'ws://127.0.0.1:4001/api' },
    },
    marketRate: 60,
    marketSeed: 7,
    solUsd: 151.5,
    solanaRpcUrl: 'https://rpc.example/?key=1',
    solanaWsUrl: null,
    solanaBrowserRpcUrl: 'https://rpc.example/',
    solanaSendUrls: ['https://one.example', 'https://two.example/x'],
    jupiterSwapUrl: 'https://api.jup.ag',
    trading: 'live',
    localChainPort: 0,
    telegramBotUsername: 'mintwatch_bot',
    telegramBotToken: '42:AAbb-cc_dd',
    telegramApiRoot: 'http://127.0.0.1:8081',
    publicUrl: 'https://mintwatch.example',
    isHttps: true,
    replaySpeed: 0,
    replayTimes: 'recorded',
    marketBytes: 900_000_000,
    tape: { hours: 5, bytes: 7_000_000 },
    logLevel: 'debug',
  });
});

test('MARKET=off switches the market off', () => {
  expect(readConfig({ MARKET: 'off' }).market).toEqual([]);
});

test.each([
  [{ PORT: '70000' }, 'PORT: must be at most 65535'],
  [{ TELEGRAM_BOT_USERNAME: 'not a name' }, 'TELEGRAM_BOT_USERNAME: must be the username of a Telegram bot'],
  [
    { TELEGRAM_BOT_TOKEN: 'no token' },
    'TELEGRAM_BOT_TOKEN: must be a bot token as @BotFather gives them, such as 123456:ABC-def',
  ],
  [{ PUBLIC_URL: 'mintwatch.example' }, 'PUBLIC_URL: must be an address that begins with https:// or http://'],
  [{ PORT: '3000x' }, 'PORT: must be a whole number from 0 to 65535'],
  ...['nginx', '10.0.0.0/33', '10.0.0.0/8/8', '10.0.0.0/', 'fd00::/129'].map(
    (bad): [Record<string, string>, string] => [
      { TRUSTED_PROXIES: `127.0.0.1,${bad}` },
      `TRUSTED_PROXIES: takes addresses and networks such as 10.0.0.1 or 10.0.0.0/8, not "${bad}"`,
    ],
  ),
  [{ REDIS_URL: 'localhost:6379' }, 'REDIS_URL: must be an address that begins with redis:// or rediss://'],
  [{ MONGODB_URI: 'postgres://db' }, 'MONGODB_URI: must begin with mongodb:// or mongodb+srv://'],
  [{ ROLES: 'http,queue' }, 'ROLES: takes http, realtime, worker, not "queue"'],
  [{ ROLES: ',' }, 'ROLES: must name at least one of http, realtime, worker'],
  [{ CHANNEL_SECRET: 'short' }, 'CHANNEL_SECRET: must have at least 24 characters'],
  [{ CHANNEL_PORT: '-1' }, 'CHANNEL_PORT: must be a whole number from 0 to 65535'],
  ...(['MONGODB_URI', 'REDIS_URL', 'CHANNEL_SECRET', 'SESSION_KEYS'] as const).map(
    (missing): [Record<string, string>, string] => [
      { ROLES: 'worker', ...SHARED, [missing]: '' },
      `${missing}: is needed when ROLES names a part of the server only`,
    ],
  ),
  [{ ADMIN_USERNAME: 'ab' }, 'ADMIN_USERNAME: Username must be at least 3 characters'],
  [{ ADMIN_PASSWORD: 'short' }, 'ADMIN_PASSWORD: Password must be at least 6 characters'],
  ...['short', 'g'.repeat(64), 'A'.repeat(44)].map((bad): [Record<string, string>, string] => [
    { WALLET_MASTER_KEY: `${'0f'.repeat(32)},${bad}` },
    'WALLET_MASTER_KEY: needs keys of 32 bytes, as hex or base64',
  ]),
  [{ SESSION_KEYS: 'short' }, 'SESSION_KEYS: needs keys of at least 16 characters'],
  [{ DIRECT_ADMIN_KEY: 'k'.repeat(23) }, 'DIRECT_ADMIN_KEY: must have at least 24 characters'],
  [
    { DIRECT_ADMIN_KEY: `${'k'.repeat(24)} ü` },
    'DIRECT_ADMIN_KEY: must be made of printable ASCII characters without spaces',
  ],
  [{ MARKET: 'nasdaq' }, `MARKET: ${MARKET_TAKES}; not "nasdaq"`],
  [{ MARKET: 'off,solana' }, `MARKET: ${MARKET_TAKES}; not "off"`],
  [{ MARKET: 'replay:' }, `MARKET: ${MARKET_TAKES}; not "replay:"`],
  [{ MARKET: 'simulator,simulator' }, 'MARKET: names simulator twice'],
  [{ MARKET: 'solana,solana' }, 'MARKET: names solana twice'],
  [{ MARKET: 'replay:/a,solana,replay:/b/../a' }, 'MARKET: names replay:/a twice'],
  [{ SESSION_KEYS: ',' }, 'SESSION_KEYS: must not be empty'],
  [{ JUPITER_API_KEY: 'two words' }, 'JUPITER_API_KEY: Please enter a valid API key'],
  ...['jupiter', 'jupiter=ftp://x', 'nasdaq=http://127.0.0.1:1', 'jupiter=http://127.0.0.1:1,'].map(
    (bad): [Record<string, string>, string] => [
      { SOURCE_URLS: bad },
      'SOURCE_URLS: must be a comma list of <source>=<http, https, ws or wss address>',
    ],
  ),
  [{ MARKET_RATE: '0' }, 'MARKET_RATE: must be at least 1'],
  [{ SOL_USD: '-1' }, 'SOL_USD: must be a number such as 1 or 0.5'],
  [{ SOL_USD: '0' }, 'SOL_USD: must be above 0'],
  [{ SOLANA_RPC_URL: 'ftp://x' }, 'SOLANA_RPC_URL: must be an address that begins with https:// or http://'],
  [{ SOLANA_WS_URL: 'https://x' }, 'SOLANA_WS_URL: must be an address that begins with wss:// or ws://'],
  [
    { SOLANA_BROWSER_RPC_URL: 'wss://x' },
    'SOLANA_BROWSER_RPC_URL: must be an address that begins with https:// or http://',
  ],
  [{ TRADING: 'real' }, 'TRADING: must be one of off, paper, local, live'],
  [{ SOLANA_SEND_URLS: 'wss://x' }, 'SOLANA_SEND_URLS: must be an address that begins with https:// or http://'],
  [{ JUPITER_SWAP_URL: 'jup.ag' }, 'JUPITER_SWAP_URL: must be an address that begins with https:// or http://'],
  [{ LOCAL_CHAIN_PORT: '65536' }, 'LOCAL_CHAIN_PORT: must be at most 65535'],
  [{ REPLAY_TIMES: 'soon' }, 'REPLAY_TIMES: must be shifted or recorded'],
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL: must be one of trace, debug, info, warn, error, fatal, silent'],
])('%j is refused in one line that names the variable', (env, message) => {
  expect(refusal(env)).toBe(message);
});

test('a refused password is not repeated', () => {
  expect(refusal({ ADMIN_PASSWORD: 'abc' })).not.toContain('abc');
});
