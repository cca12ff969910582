import { z } from 'zod';
import { apiKeySchema, sourceNames } from '../../common/sources/model.ts';

/** Sources that `MARKET` names by their name alone; a recording is `replay:<file>`. */
export const plainSources = sourceNames.filter((name) => name !== 'replay');
export type PlainSource = (typeof plainSources)[number];

/** Services that take a key, with its variable. */
export const keyVariables = {
  jupiter: 'JUPITER_API_KEY',
  'solana-tracker': 'SOLANA_TRACKER_API_KEY',
  solscan: 'SOLSCAN_API_KEY',
  solanafm: 'SOLANAFM_API_KEY',
  rugcheck: 'RUGCHECK_API_KEY',
  pumpportal: 'PUMPPORTAL_API_KEY',
} as const satisfies Partial<Record<PlainSource, string>>;
export type KeyedSource = keyof typeof keyVariables;

/** Plans of Jupiter and of Solana Tracker's data API, which limit requests and credits. */
const jupiterPlans = ['free', 'developer', 'launch', 'pro'] as const;
export type JupiterPlan = (typeof jupiterPlans)[number];
const solanaTrackerPlans = ['free', 'starter', 'advanced', 'pro', 'premium', 'business', 'enterprise'] as const;
export type SolanaTrackerPlan = (typeof solanaTrackerPlans)[number];

const key = apiKeySchema.nullable().default(null);

/** Services whose address can be replaced, as tests do. */
const addressed = [...plainSources, 'x'] as const;
type AddressedService = (typeof addressed)[number];

const FORM = 'must be a comma list of <source>=<http, https, ws or wss address>';

/** `SOURCE_URLS`: addresses that replace the services' own, such as `jupiter=http://127.0.0.1:4000,rugcheck=…`. */
const sourceUrls = z.string().transform((text, context): Partial<Record<AddressedService, string>> => {
  const urls: Partial<Record<AddressedService, string>> = {};
  for (const item of text.split(',')) {
    const [name, url = ''] = splitOnce(item.trim());
    const service = addressed.find((known) => known === name);
    if (service === undefined || !URL.canParse(url) || !/^(?:http|ws)s?:$/.test(new URL(url).protocol)) {
      context.issues.push({ code: 'custom', input: item, message: FORM });
      return z.NEVER;
    }
    urls[service] = url.replace(/\/$/, '');
  }
  return urls;
});

function splitOnce(item: string): [string, string?] {
  const at = item.indexOf('=');
  return at < 0 ? [item] : [item.slice(0, at), item.slice(at + 1)];
}

/** Accounts that are read without X_ACCOUNTS: five with much of the news of Solana. */
export const DEFAULT_ACCOUNTS: readonly string[] = [
  'solana',
  'JupiterExchange',
  'RaydiumProtocol',
  'SolanaFloor',
  'bonk_inu',
];

/** More do not fit into the 512 characters of one query. */
const MAX_ACCOUNTS = 20;

/** `X_ACCOUNTS`: comma list of handles, with or without the @. */
const xAccounts = z
  .string()
  .transform((text) => [
    ...new Set(
      text
        .split(',')
        .map((item) => item.trim().replace(/^@/, ''))
        .filter((item) => item !== ''),
    ),
  ])
  .pipe(
    z
      .array(z.string().regex(/^\w{1,15}$/, 'takes handles of X such as solana or @solana'))
      .min(1, 'names no account')
      .max(MAX_ACCOUNTS, `takes at most ${MAX_ACCOUNTS} accounts`),
  );

/** Variables of the sources, for the schema of the environment. */
export const sourceVariables = {
  JUPITER_API_KEY: key,
  JUPITER_PLAN: z.enum(jupiterPlans).default('free'),
  SOLANA_TRACKER_API_KEY: key,
  SOLANA_TRACKER_PLAN: z.enum(solanaTrackerPlans).default('free'),
  SOLSCAN_API_KEY: key,
  SOLANAFM_API_KEY: key,
  RUGCHECK_API_KEY: key,
  PUMPPORTAL_API_KEY: key,
  X_BEARER_TOKEN: key,
  X_ACCOUNTS: xAccounts.default([...DEFAULT_ACCOUNTS]),
  SOURCE_URLS: sourceUrls.default({}),
};

type Values = { [Name in keyof typeof sourceVariables]: z.output<(typeof sourceVariables)[Name]> };

export function sourceSettings(values: Values) {
  const keys: Readonly<Record<KeyedSource, string | null>> = {
    jupiter: values.JUPITER_API_KEY,
    'solana-tracker': values.SOLANA_TRACKER_API_KEY,
    solscan: values.SOLSCAN_API_KEY,
    solanafm: values.SOLANAFM_API_KEY,
    rugcheck: values.RUGCHECK_API_KEY,
    pumpportal: values.PUMPPORTAL_API_KEY,
  };
  return {
    keys,
    jupiterPlan: values.JUPITER_PLAN,
    solanaTrackerPlan: values.SOLANA_TRACKER_PLAN,
    xBearerToken: values.X_BEARER_TOKEN,
    /** Handles without the @ that the social-feed scanner reads. */
    xAccounts: values.X_ACCOUNTS,
    /** Addresses that replace the services' own. */
    urls: values.SOURCE_URLS,
  };
}
