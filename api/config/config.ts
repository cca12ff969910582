import path from 'node:path';
import { z } from 'zod';
import { passwordSchema, usernameSchema } from '../../common/auth/model.ts';
import { parseInput } from '../../common/field-errors.ts';
import { SECOND } from '../../common/time.ts';
import { serverTradingSchema } from '../../common/trading/account.ts';
import { MASTER_KEY_FORM, parseMasterKey } from './master-key.ts';
import { type PlainSource, plainSources, sourceSettings, sourceVariables } from './sources.ts';

/** A reason not to start that the operator can change, as one clear line. */
export class StartError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StartError';
  }
}

/** Returns the text of a failed start for the terminal. A StartError is written for people; anything else needs its stack. */
export function startFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error instanceof StartError ? error.message : (error.stack ?? error.message);
}

/** An entry of `MARKET`. */
export type MarketSource = { kind: PlainSource } | { kind: 'replay'; file: string };

/** Parts of the server that one process runs. */
export const roles = ['http', 'realtime', 'worker'] as const;
export type Role = (typeof roles)[number];

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export const replayTimes = ['shifted', 'recorded'] as const;
const SESSION_KEY_MIN = 16;
const HEADER_SECRET_MIN = 24;
const SEND_URLS_MAX = 4;

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .pipe(z.number().int().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`));

const decimal = z
  .string()
  .regex(/^\d+(\.\d+)?$/, 'must be a number such as 1 or 0.5')
  .transform(Number);

const address = (protocols: readonly string[]) =>
  z.string().refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), {
    error: `must be an address that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  });

const withoutSlash = address(['https:', 'http:']).transform((text) => text.replace(/\/+$/, ''));

const commaList = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
);

const market = commaList.transform((items, context): MarketSource[] => {
  const sources: MarketSource[] = [];
  for (const item of items) {
    if (item === 'off' && items.length === 1) return [];
    const replayed = item.startsWith('replay:') ? item.slice('replay:'.length) : '';
    const plain = plainSources.find((name) => name === item);
    if (plain !== undefined) sources.push({ kind: plain });
    else if (replayed) sources.push({ kind: 'replay', file: path.resolve(replayed) });
    else {
      const text = `takes ${plainSources.join(', ')} and replay:<file>, or off alone; not "${item}"`;
      context.issues.push({ code: 'custom', input: item, message: text });
      return z.NEVER;
    }
  }
  const names = sources.map((source) => (source.kind === 'replay' ? `replay:${source.file}` : source.kind));
  const double = names.find((name, index) => names.indexOf(name) !== index);
  if (double) context.issues.push({ code: 'custom', input: items, message: `names ${double} twice` });
  return sources;
});

const network = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], {
  error: ({ input }) => `takes addresses and networks such as 10.0.0.1 or 10.0.0.0/8, not "${String(input)}"`,
});

/** A secret that callers send in a header. */
const headerSecret = z
  .string()
  .min(HEADER_SECRET_MIN, `must have at least ${HEADER_SECRET_MIN} characters`)
  .regex(/^[!-~]*$/, 'must be made of printable ASCII characters without spaces');

const roleList = commaList
  .transform((items) => new Set(items))
  .pipe(
    z
      .set(z.enum(roles, { error: ({ input }) => `takes ${roles.join(', ')}, not "${String(input)}"` }))
      .min(1, `must name at least one of ${roles.join(', ')}`),
  );

/** Null when the variable is not set. */
const optional = <Schema extends z.ZodType>(schema: Schema) => schema.nullable().default(null);

/** Every variable with its check and default. api/docs/operations.md has the table for operators. */
const variables = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: wholeNumber(0, 65_535).default(3000),
  TRUSTED_PROXIES: commaList.pipe(z.array(network)).default([]),
  DATA_DIR: z
    .string()
    .default('./.data')
    .transform((folder) => path.resolve(folder)),
  ROLES: roleList.default(new Set(roles)),
  CHANNEL_SECRET: optional(headerSecret),
  CHANNEL_HOST: z.string().default('127.0.0.1'),
  CHANNEL_PORT: wholeNumber(0, 65_535).default(0),
  LEASE_SECONDS: wholeNumber(3, 600).default(7),
  MONGODB_URI: optional(z.string().regex(/^mongodb(\+srv)?:\/\/./, 'must begin with mongodb:// or mongodb+srv://')),
  REDIS_URL: optional(address(['redis:', 'rediss:'])),
  ADMIN_USERNAME: usernameSchema.default('admin'),
  ADMIN_PASSWORD: optional(passwordSchema),
  SESSION_KEYS: optional(
    commaList.pipe(
      z.array(z.string().min(SESSION_KEY_MIN, `needs keys of at least ${SESSION_KEY_MIN} characters`)).min(1),
    ),
  ),
  WALLET_MASTER_KEY: optional(
    commaList.pipe(z.array(z.string().refine((text) => parseMasterKey(text) !== null, MASTER_KEY_FORM)).min(1)),
  ),
  DIRECT_ADMIN_KEY: optional(headerSecret),
  METRICS_TOKEN: optional(headerSecret),
  MARKET: market.default([{ kind: 'simulator' }]),
  MARKET_RATE: wholeNumber(1, 6000).default(20),
  MARKET_SEED: optional(wholeNumber(0, 2 ** 32 - 1)),
  SOL_USD: optional(decimal.refine((rate) => rate > 0, 'must be above 0')),
  SOLANA_RPC_URL: optional(address(['https:', 'http:'])),
  SOLANA_WS_URL: optional(address(['wss:', 'ws:'])),
  SOLANA_BROWSER_RPC_URL: optional(address(['https:', 'http:'])),
  SOLANA_SEND_URLS: commaList.pipe(z.array(address(['https:', 'http:'])).max(SEND_URLS_MAX)).default([]),
  JUPITER_SWAP_URL: optional(withoutSlash),
  TRADING: optional(z.enum(serverTradingSchema.options, `must be one of ${serverTradingSchema.options.join(', ')}`)),
  LOCAL_CHAIN_PORT: wholeNumber(0, 65_535).default(8899),
  TELEGRAM_BOT_USERNAME: optional(
    z
      .string()
      .regex(/^@?[A-Za-z][A-Za-z0-9_]{3,31}$/, 'must be the username of a Telegram bot')
      .transform((name) => name.replace(/^@/, '')),
  ),
  TELEGRAM_BOT_TOKEN: optional(
    z
      .string()
      .regex(/^\d{1,20}:[A-Za-z0-9_-]{1,100}$/, 'must be a bot token as @BotFather gives them, such as 123456:ABC-def'),
  ),
  TELEGRAM_API_ROOT: withoutSlash.default('https://api.telegram.org'),
  PUBLIC_URL: optional(withoutSlash),
  REPLAY_SPEED: decimal.default(1),
  REPLAY_TIMES: z.enum(replayTimes, 'must be shifted or recorded').default('shifted'),
  ...sourceVariables,
  MARKET_MEGABYTES: wholeNumber(0, 1_000_000).default(5_000),
  TAPE_HOURS: wholeNumber(0, 1_000).default(72),
  TAPE_MEGABYTES: wholeNumber(0, 1_000_000).default(2_000),
  LOG_LEVEL: z.enum(logLevels, `must be one of ${logLevels.join(', ')}`).default('warn'),
});

/** The environment, checked and with defaults. */
export type Config = ReturnType<typeof toConfig>;

function toConfig(values: z.output<typeof variables>) {
  return {
    host: values.HOST,
    /** 0 lets the system choose. */
    port: values.PORT,
    /** Addresses and networks whose forwarding headers are trusted; none by default. */
    trustedProxies: values.TRUSTED_PROXIES,
    /** Absolute path. */
    dataDir: values.DATA_DIR,
    /** What this process runs; all roles by default. */
    roles: values.ROLES,
    /** The internal channel on which the worker responds to other processes. `secret` null: there is none. */
    channel: { secret: values.CHANNEL_SECRET, host: values.CHANNEL_HOST, port: values.CHANNEL_PORT },
    /** How long the right to be the worker lasts without a renewal. */
    leaseMs: values.LEASE_SECONDS * SECOND,
    /** Null: the embedded MongoDB. */
    mongoUri: values.MONGODB_URI,
    /** Carries the feed and the events between processes; null: there is only one. */
    redisUrl: values.REDIS_URL,
    adminUsername: values.ADMIN_USERNAME,
    /** Null: generated at the first start. */
    adminPassword: values.ADMIN_PASSWORD,
    /** Newest first; null: in a file of `dataDir`. */
    sessionKeys: values.SESSION_KEYS,
    /** Keys that protect the wallets' keys, newest first, as `parseMasterKey` reads them; null: in a file of `dataDir`. */
    walletMasterKeys: values.WALLET_MASTER_KEY,
    /** Opens some maintenance calls without a session; null: off. */
    directAdminKey: values.DIRECT_ADMIN_KEY,
    /** What Prometheus sends to read `/metrics`; null: there is no such page. */
    metricsToken: values.METRICS_TOKEN,
    /** Empty: no market (`off`). */
    market: values.MARKET,
    /** Keys and addresses of data services. */
    sources: sourceSettings(values),
    /** Simulated launches a minute. */
    marketRate: values.MARKET_RATE,
    /** Null: another market at every start. */
    marketSeed: values.MARKET_SEED,
    /** US dollars for 1 SOL while no source reports the rate; null: unknown. */
    solUsd: values.SOL_USD,
    /** Null: wallets use the local chain, the live source the public mainnet node, and a replay none. */
    solanaRpcUrl: values.SOLANA_RPC_URL,
    /** Null: derived from the address of the RPC. */
    solanaWsUrl: values.SOLANA_WS_URL,
    /** Address for browsers instead of `solanaRpcUrl`, which may hold a provider's key; null: the same. */
    solanaBrowserRpcUrl: values.SOLANA_BROWSER_RPC_URL,
    /** Further nodes that transactions of orders are sent to. */
    solanaSendUrls: values.SOLANA_SEND_URLS,
    /** Base address of Jupiter's swap API, used for orders in pools; null: that of the local chain, if it started with the server. */
    jupiterSwapUrl: values.JUPITER_SWAP_URL,
    /** Where orders go; null: derived from chain and market, see `serverTradingOf`. */
    trading: values.TRADING,
    /** Port of the local chain of `npm start`; 0 lets the system choose. */
    localChainPort: values.LOCAL_CHAIN_PORT,
    /** Without the @, until Telegram reports it; null: not set. */
    telegramBotUsername: values.TELEGRAM_BOT_USERNAME,
    /** Null: no bot. */
    telegramBotToken: values.TELEGRAM_BOT_TOKEN,
    /** Address of the Bot API, without a slash at the end. */
    telegramApiRoot: values.TELEGRAM_API_ROOT,
    /** Public address of the web pages, without a slash at the end; null: messages contain no links. */
    publicUrl: values.PUBLIC_URL,
    /** True when browsers reach the server by HTTPS. */
    isHttps: values.PUBLIC_URL?.startsWith('https:') ?? false,
    /** 1: as recorded, 2: twice as fast, 0: as fast as possible. */
    replaySpeed: values.REPLAY_SPEED,
    replayTimes: values.REPLAY_TIMES,
    /** Most bytes of trades and samples with their indexes; 0: no bound. */
    marketBytes: values.MARKET_MEGABYTES * 1_000_000,
    /** Bounds of the recorded hours; 0 of either: nothing is recorded. */
    tape: { hours: values.TAPE_HOURS, bytes: values.TAPE_MEGABYTES * 1_000_000 },
    logLevel: values.LOG_LEVEL,
  };
}

/** Parses the environment. A blank variable counts as unset. Throws a StartError that names the first bad variable. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()));
  const parsed = parseInput(variables, present);
  if (parsed.success) {
    requireShared(parsed.data);
    return toConfig(parsed.data);
  }
  const issue = parsed.issues[0];
  // Without the value, which may be a password.
  throw new StartError(`${String(issue?.path[0])}: ${issue?.message ?? 'is not valid'}`);
}

/** What the processes of a server have in common. */
const SHARED = ['MONGODB_URI', 'REDIS_URL', 'CHANNEL_SECRET', 'SESSION_KEYS'] as const;

/** Throws a StartError when a process runs a part of the server only, and lacks what its parts have in common. */
function requireShared(values: z.output<typeof variables>): void {
  if (roles.every((role) => values.ROLES.has(role))) return;
  const missing = SHARED.find((name) => values[name] === null);
  if (missing) throw new StartError(`${missing}: is needed when ROLES names a part of the server only`);
}
