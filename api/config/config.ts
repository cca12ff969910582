import path from 'node:path';
import { z } from 'zod';
import { passwordSchema, usernameSchema } from '../../common/auth/model.ts';
import { parseInput } from '../../common/field-errors.ts';
import { isNetwork } from '../http/forwarding.ts';
import { MASTER_KEY_FORM, parseMasterKey } from './master-key.ts';
import { type PlainSource, plainSources, type SourceSettings, sourceEnvironment, sourceSettings } from './sources.ts';

/** Something that keeps the server from starting and that the person at the keyboard can change: one clear line. */
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

/** One entry of `MARKET`. */
export type MarketSource = { kind: PlainSource } | { kind: 'replay'; file: string };

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export const replayTimes = ['shifted', 'recorded'] as const;
const SESSION_KEY_MIN = 16;
const DIRECT_ADMIN_KEY_MIN = 24;

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

const network = z.string().refine(isNetwork, {
  error: ({ input }) => `takes addresses and networks such as 10.0.0.1 or 10.0.0.0/8, not "${String(input)}"`,
});

const environment = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: wholeNumber(0, 65_535).default(3000),
  TRUSTED_PROXIES: commaList.pipe(z.array(network)).default(['127.0.0.0/8', '::1']),
  DATA_DIR: z
    .string()
    .default('./.data')
    .transform((folder) => path.resolve(folder)),
  MONGODB_URI: z
    .string()
    .regex(/^mongodb(\+srv)?:\/\/./, 'must begin with mongodb:// or mongodb+srv://')
    .optional(),
  ADMIN_USERNAME: usernameSchema.default('admin'),
  ADMIN_PASSWORD: passwordSchema.optional(),
  SESSION_KEYS: commaList
    .pipe(z.array(z.string().min(SESSION_KEY_MIN, `needs keys of at least ${SESSION_KEY_MIN} characters`)).min(1))
    .optional(),
  WALLET_MASTER_KEY: commaList
    .pipe(z.array(z.string().refine((text) => parseMasterKey(text) !== null, MASTER_KEY_FORM)).min(1))
    .optional(),
  DIRECT_ADMIN_KEY: z
    .string()
    .min(DIRECT_ADMIN_KEY_MIN, `must have at least ${DIRECT_ADMIN_KEY_MIN} characters`)
    // It travels in a header.
    .regex(/^[!-~]*$/, 'must be made of printable ASCII characters without spaces')
    .optional(),
  MARKET: market.default([{ kind: 'simulator' }]),
  MARKET_RATE: wholeNumber(1, 6000).default(20),
  MARKET_SEED: wholeNumber(0, 2 ** 32 - 1).optional(),
  SOL_USD: decimal.refine((rate) => rate > 0, 'must be above 0').optional(),
  SOLANA_RPC_URL: address(['https:', 'http:']).optional(),
  SOLANA_WS_URL: address(['wss:', 'ws:']).optional(),
  SOLANA_BROWSER_RPC_URL: address(['https:', 'http:']).optional(),
  LOCAL_CHAIN_PORT: wholeNumber(0, 65_535).default(8899),
  TELEGRAM_BOT_USERNAME: z
    .string()
    .regex(/^@?[A-Za-z][A-Za-z0-9_]{3,31}$/, 'must be the username of a Telegram bot')
    .transform((name) => name.replace(/^@/, ''))
    .optional(),
  TELEGRAM_BOT_TOKEN: z
    .string()
    .regex(/^\d{1,20}:[A-Za-z0-9_-]{1,100}$/, 'must be a bot token as @BotFather gives them, such as 123456:ABC-def')
    .optional(),
  TELEGRAM_API_ROOT: withoutSlash.default('https://api.telegram.org'),
  PUBLIC_URL: withoutSlash.optional(),
  REPLAY_SPEED: decimal.default(1),
  REPLAY_TIMES: z.enum(replayTimes, 'must be shifted or recorded').default('shifted'),
  ...sourceEnvironment,
  LOG_LEVEL: z.enum(logLevels, `must be one of ${logLevels.join(', ')}`).default('warn'),
});

/** What the environment says, checked and with the defaults filled in. README.md has the table for people. */
export interface Config {
  host: string;
  /** 0 lets the system choose. */
  port: number;
  /** Addresses and networks whose forwarding headers are believed. */
  trustedProxies: string[];
  /** Absolute path. */
  dataDir: string;
  /** Null: use the embedded MongoDB. */
  mongoUri: string | null;
  adminUsername: string;
  /** Null: generate one at the first start. */
  adminPassword: string | null;
  /** Newest first; null: kept in a file of `dataDir`. */
  sessionKeys: string[] | null;
  /** Keys that protect the wallets' keys, newest first, in a form that `parseMasterKey` reads; null: kept in a file of `dataDir`. */
  walletMasterKeys: string[] | null;
  /** Opens some maintenance calls without a session; null: nothing does. */
  directAdminKey: string | null;
  /** Empty: no market (`off`). */
  market: MarketSource[];
  /** Keys and addresses of data services. */
  sources: SourceSettings;
  /** Simulated launches a minute. */
  marketRate: number;
  /** Null: another market at every start. */
  marketSeed: number | null;
  /** US dollars for 1 SOL while no source gives the rate; null: unknown. */
  solUsd: number | null;
  /** Null: not set. Wallets are then on the local chain, the live source asks the public mainnet node, and a replay asks nobody. */
  solanaRpcUrl: string | null;
  /** Null: derived from the address of the RPC. */
  solanaWsUrl: string | null;
  /** What browsers get instead of `solanaRpcUrl`, which may hold a provider's key; null: the same. */
  solanaBrowserRpcUrl: string | null;
  /** Where `npm start` lets the local chain listen; 0 lets the system choose. */
  localChainPort: number;
  /** Without the @, for as long as Telegram has not said it; null: not set. */
  telegramBotUsername: string | null;
  /** Null: no bot. */
  telegramBotToken: string | null;
  /** Where the Bot API is, without a slash at the end. */
  telegramApiRoot: string;
  /** Where people reach the web pages, without a slash at the end; null: messages link to no page. */
  publicUrl: string | null;
  /** 1: as recorded, 2: twice as fast, 0: as fast as possible. */
  replaySpeed: number;
  replayTimes: (typeof replayTimes)[number];
  logLevel: (typeof logLevels)[number];
}

/** Parses the environment. A blank variable counts as unset. Throws a StartError that names the first bad variable. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()));
  const parsed = parseInput(environment, present);
  if (!parsed.success) {
    const issue = parsed.issues[0];
    // The value is left out: it may be a password.
    throw new StartError(`${String(issue?.path[0])}: ${issue?.message ?? 'is not valid'}`);
  }
  const values = parsed.data;
  return {
    host: values.HOST,
    port: values.PORT,
    trustedProxies: values.TRUSTED_PROXIES,
    dataDir: values.DATA_DIR,
    mongoUri: values.MONGODB_URI ?? null,
    adminUsername: values.ADMIN_USERNAME,
    adminPassword: values.ADMIN_PASSWORD ?? null,
    sessionKeys: values.SESSION_KEYS ?? null,
    walletMasterKeys: values.WALLET_MASTER_KEY ?? null,
    directAdminKey: values.DIRECT_ADMIN_KEY ?? null,
    market: values.MARKET,
    sources: sourceSettings(values),
    marketRate: values.MARKET_RATE,
    marketSeed: values.MARKET_SEED ?? null,
    solUsd: values.SOL_USD ?? null,
    solanaRpcUrl: values.SOLANA_RPC_URL ?? null,
    solanaWsUrl: values.SOLANA_WS_URL ?? null,
    solanaBrowserRpcUrl: values.SOLANA_BROWSER_RPC_URL ?? null,
    localChainPort: values.LOCAL_CHAIN_PORT,
    telegramBotUsername: values.TELEGRAM_BOT_USERNAME ?? null,
    telegramBotToken: values.TELEGRAM_BOT_TOKEN ?? null,
    telegramApiRoot: values.TELEGRAM_API_ROOT,
    publicUrl: values.PUBLIC_URL ?? null,
    replaySpeed: values.REPLAY_SPEED,
    replayTimes: values.REPLAY_TIMES,
    logLevel: values.LOG_LEVEL,
  };
}
