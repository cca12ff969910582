import {
  baseUnitsToTokens,
  LAUNCHPAD_DECIMALS,
  lamportsToSol,
  roundSignificant,
  solToLamports,
} from '../../../common/tokens/units.ts';
import type { Holder, LabelledWallet, WalletLabel } from '../../../common/tokens/wallets/model.ts';
import type { TokenRecord } from '../record.ts';
import type { WalletSums } from './holder-figures.ts';

type Labels = ReadonlyMap<string, WalletLabel[]>;

export function presentWallets(labels: Labels): LabelledWallet[] {
  return [...labels].map(([wallet, names]) => ({ wallet, labels: names }));
}

/**
 * Returns the largest wallets; none while the supply is unknown, since a share needs it. `figures`: null while trades may be
 * missing.
 */
export function presentHolders(
  record: TokenRecord,
  labels: Labels,
  figures: ReadonlyMap<string, WalletSums> | null,
): Holder[] {
  const supply = record.totalSupply === null ? 0 : Number(record.totalSupply);
  if (supply <= 0) return [];
  return record.topHolders.map(({ wallet, amount }) => ({
    wallet,
    tokens: baseUnitsToTokens(amount, record.decimals ?? LAUNCHPAD_DECIMALS),
    share: roundSignificant((amount / supply) * 100),
    isCreator: wallet === record.creator,
    labels: labels.get(wallet) ?? [],
    ...presentFigures(figures?.get(wallet) ?? null, record),
  }));
}

function presentFigures(sums: WalletSums | null, record: TokenRecord) {
  if (sums === null) return { bought: null, sold: null, remaining: null, profit: null, firstBuyAfter: null };
  const { bought, sold, firstBuyAt } = sums;
  const { createdAt } = record;
  return {
    bought: sol(sums.paid),
    sold: sol(sums.received),
    remaining: bought === 0 ? null : roundSignificant((Math.max(0, bought - sold) / bought) * 100),
    profit: sol(profitOf(sums, record)),
    // Trades carry the time that their source knows: it may be earlier than the creation.
    firstBuyAfter: firstBuyAt === null || createdAt === null ? null : Math.max(0, Math.round(firstBuyAt - createdAt)),
  };
}

/** Returns the profit of a wallet, lamports, with the rest at the present price; null when a part of it is unknown. */
function profitOf({ paid, received, bought, sold }: WalletSums, { price, decimals }: TokenRecord): number | null {
  const rest = bought - sold;
  // Tokens sold without a purchase came from another wallet: their cost is unknown.
  if (paid === null || received === null || price === null || rest < 0) return null;
  return received - paid + solToLamports(baseUnitsToTokens(rest, decimals ?? LAUNCHPAD_DECIMALS) * price);
}

function sol(lamports: number | null): number | null {
  return lamports === null ? null : roundSignificant(lamportsToSol(lamports));
}
