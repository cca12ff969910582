import { z } from 'zod';

/** Ids of the checks, heaviest kinds first; of two equally heavy findings the earlier one is the reason of a score. */
export const checkIds = [
  'rugged',
  'drained',
  'mintAuthorityLive',
  'freezeAuthorityLive',
  'extensions',
  'creatorRugged',
  'developerSold',
  'developerSoldEarly',
  'insidersSold',
  'insidersBought',
  'insiderWallets',
  'unboughtSales',
  'drawdown',
  'developerStake',
  'otherCreator',
  'topTen',
  'largestWallet',
  'priceFall',
  'lpPulled',
  'lpUnlocked',
  'creatorLaunches24h',
  'transferFeeBps',
  'liquidity',
  'buysWithoutSell',
  'standardCurve',
  'holders',
  'suspicious',
  'symbolTwin',
  'organicScore',
  'metadataMutable',
  'metadataFile',
] as const;
export type CheckId = (typeof checkIds)[number];

/** Reasons of an unknown score. */
const unknownReasons = ['too-early', 'no-buyers', 'mint-unread', 'pool-unobserved', 'too-little-known'] as const;
export type UnknownReason = (typeof unknownReasons)[number];

/** Why a score is unknown, or the heaviest finding behind it. */
export const riskReasonSchema = z.enum([...unknownReasons, ...checkIds]);
export type RiskReason = z.infer<typeof riskReasonSchema>;

const texts: Readonly<Record<RiskReason, string>> = {
  'too-early': 'too early',
  'no-buyers': 'no buyers yet',
  'mint-unread': 'mint not read',
  'pool-unobserved': 'pool not observed',
  'too-little-known': 'too little known',
  rugged: 'rugged',
  drained: 'drained',
  mintAuthorityLive: 'mint authority live',
  freezeAuthorityLive: 'freeze authority live',
  extensions: 'dangerous extension',
  creatorRugged: 'developer rugged before',
  developerSold: 'developer sold',
  developerSoldEarly: 'developer sold early',
  insidersSold: 'insiders sold',
  insidersBought: 'bundled launch',
  insiderWallets: 'many insider wallets',
  unboughtSales: 'unseen transfers sold',
  drawdown: 'liquidity fell',
  developerStake: "developer's share",
  otherCreator: "launched in another's name",
  topTen: 'few wallets hold much',
  largestWallet: 'one wallet holds much',
  priceFall: 'price fell',
  lpPulled: 'liquidity pulled',
  lpUnlocked: 'LP unlocked',
  creatorLaunches24h: 'serial launches',
  transferFeeBps: 'transfer fee',
  liquidity: 'little liquidity',
  buysWithoutSell: 'no sells',
  standardCurve: 'unusual curve',
  holders: 'few holders',
  suspicious: 'flagged by Jupiter',
  symbolTwin: 'copied symbol',
  organicScore: 'no organic trading',
  metadataMutable: 'metadata can change',
  metadataFile: 'no metadata file',
};

/** Times of a reason's text, epoch ms; `createdAt` is null while the creation is unknown. */
export interface ReasonTimes {
  createdAt: number | null;
  now: number;
}

/** Returns the few words beside a badge: 'drained', or 'too early · 0:14' with the age in minutes and seconds. */
export function riskReasonText(reason: RiskReason, { createdAt, now }: ReasonTimes): string {
  if (reason !== 'too-early' || createdAt === null) return texts[reason];
  const seconds = Math.max(0, Math.floor((now - createdAt) / 1000));
  return `${texts[reason]} · ${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** Returns 'All 18 checks are known.' or '17 of 18 checks are known. Missing: Creator history.' */
export function coverageText(risk: {
  known: number;
  total: number;
  factors: readonly { id: string; label: string; state: string; standard: boolean }[];
}): string {
  if (risk.known === risk.total) return `All ${risk.total} checks are known.`;
  // What a low score still needs is no check.
  const missing = risk.factors.filter(
    ({ id, state, standard }) => state === 'unknown' && !standard && id !== 'unproven',
  );
  return `${risk.known} of ${risk.total} checks are known. Missing: ${missing.map(({ label }) => label).join(', ')}.`;
}
