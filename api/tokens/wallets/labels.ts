import type { WalletLabel } from '../../../common/tokens/wallets/model.ts';
import type { TokenRecord } from '../record.ts';
import { type DeveloperRecord, developerOf } from './developer.ts';

/** Buyers that are the first ones of a coin. */
export const FIRST_BUYERS = 20;
const TOP_HOLDERS = 10;

/** Wallets that are known from the first trades of a coin. */
export interface EarlyWallets {
  /** At most 200. */
  insiders: readonly string[];
  /** The first buyers other than the developer, in order, at most 20. */
  firstBuyers: readonly string[];
}

/**
 * Returns the wallets of a token that have a label, with their labels by weight: at most a few hundred. `early`: null when the first
 * trades are unknown; then only developer, largest holders and new wallets are labelled.
 */
export function labelWallets(
  record: DeveloperRecord & Pick<TokenRecord, 'topHolders' | 'funders'>,
  early: EarlyWallets | null,
): ReadonlyMap<string, WalletLabel[]> {
  const labelled = new Map<string, WalletLabel[]>();
  const label = (name: WalletLabel, wallets: Iterable<string>) => {
    for (const wallet of wallets) labelled.set(wallet, [...(labelled.get(wallet) ?? []), name]);
  };
  const developer = developerOf(record);
  label('developer', developer);
  label('insider', early?.insiders ?? []);
  label(
    'top-10',
    record.topHolders.slice(0, TOP_HOLDERS).map(({ wallet }) => wallet),
  );
  label('first-20', early?.firstBuyers ?? []);
  // A funder is only read for wallets with few transactions.
  label('new', new Set((record.funders ?? []).map(({ wallet }) => wallet)));
  return labelled;
}
