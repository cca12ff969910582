import { z } from 'zod';
import { apiKeySchema, sourceNames } from '../../common/sources/model.ts';
import { accountsSchema, DEFAULT_ACCOUNTS } from './x-accounts.ts';

/** Sources that are named in `MARKET` by their name alone; a recording is `replay:<file>`. */
export const plainSources = sourceNames.filter((name) => name !== 'replay');
export type PlainSource = (typeof plainSources)[number];

/** Services that take a key, and the variable it comes from. */
export const keyVariables = {
  jupiter: 'JUPITER_API_KEY',
  'solana-tracker': 'SOLANA_TRACKER_API_KEY',
  solscan: 'SOLSCAN_API_KEY',
  solanafm: 'SOLANAFM_API_KEY',
  rugcheck: 'RUGCHECK_API_KEY',
  pumpportal: 'PUMPPORTAL_API_KEY',
} as const satisfies Partial<Record<PlainSource, string>>;
export type KeyedSource = keyof typeof keyVariables;

const key = apiKeySchema.optional();

/** Services whose address can be changed, as tests do. */
const addressed = [...plainSources, 'x'] as const;
export type AddressedService = (typeof addressed)[number];

const FORM = 'must be a comma list of <source>=<http, https, ws or wss address>';

/** `jupiter=http://127.0.0.1:4000,rugcheck=…`: where the services are asked instead. */
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

/** The variables of the sources, for the environment's schema. */
export const sourceEnvironment = {
  JUPITER_API_KEY: key,
  SOLANA_TRACKER_API_KEY: key,
  SOLSCAN_API_KEY: key,
  SOLANAFM_API_KEY: key,
  RUGCHECK_API_KEY: key,
  PUMPPORTAL_API_KEY: key,
  X_BEARER_TOKEN: key,
  X_ACCOUNTS: accountsSchema.optional(),
  SOURCE_URLS: sourceUrls.optional(),
};

/** What the environment says about the sources. */
export interface SourceSettings {
  /** By source; null: none. */
  keys: Readonly<Record<KeyedSource, string | null>>;
  xBearerToken: string | null;
  /** Handles without the @ that the social-feed scanner reads. */
  xAccounts: readonly string[];
  /** Addresses to ask instead of the services' own. */
  urls: Readonly<Partial<Record<AddressedService, string>>>;
}

export function sourceSettings(
  values: {
    [Name in keyof typeof sourceEnvironment]?: z.output<(typeof sourceEnvironment)[Name]>;
  },
): SourceSettings {
  return {
    keys: {
      jupiter: values.JUPITER_API_KEY ?? null,
      'solana-tracker': values.SOLANA_TRACKER_API_KEY ?? null,
      solscan: values.SOLSCAN_API_KEY ?? null,
      solanafm: values.SOLANAFM_API_KEY ?? null,
      rugcheck: values.RUGCHECK_API_KEY ?? null,
      pumpportal: values.PUMPPORTAL_API_KEY ?? null,
    },
    xBearerToken: values.X_BEARER_TOKEN ?? null,
    xAccounts: values.X_ACCOUNTS ?? DEFAULT_ACCOUNTS,
    urls: values.SOURCE_URLS ?? {},
  };
}
