import { z } from 'zod';
import type { ListingFacts } from '../observation.ts';
import { nullIfUnknown } from '../polled/request-error.ts';
import type { PolledItem, ServiceApi, ServiceSpec } from '../polled/service-spec.ts';

const riskSchema = z.object({ name: z.string(), score: z.number().nullish() });
const summarySchema = z.object({
  risks: z.array(z.unknown()).nullish(),
  lpLockedPct: z.number().min(0).max(100).nullish(),
});
type Risk = z.output<typeof riskSchema>;

/** Score of each earlier coin of the creator that ended as a rug: all observed scores are multiples of it. */
const SCORE_PER_RUG = 2_400;

/**
 * RugCheck's summaries. Only a named risk is a fact: an unmeasured coin has no risks either. Its holder shares are not used,
 * as they may include curve and pools.
 */
export const rugcheck: ServiceSpec = {
  name: 'rugcheck',
  baseUrl: 'https://api.rugcheck.xyz',
  key: { need: 'optional', header: 'X-API-KEY' },
  // 15 calls in an undocumented window; one in four seconds has been accepted.
  limit: () => ({ calls: 1, windowMs: 4_000 }),
  quotes: { batchSize: 1, maxPerRun: 30, fetch: fetchSummaries },
};

async function fetchSummaries(api: ServiceApi, addresses: readonly string[]): Promise<PolledItem[]> {
  const items: PolledItem[] = [];
  for (const address of addresses) {
    // "unable to generate report" (400) and "not found" (404) are common for coins that are seconds old.
    const response = await nullIfUnknown(api.get(`/v1/tokens/${address}/report/summary`));
    const summary = response === null ? null : api.item(summarySchema, response);
    if (summary === null) continue;
    const risks = summary.risks == null ? [] : api.items(riskSchema, summary.risks);
    const facts: ListingFacts = { ...factsOf(risks), lpLockedPercent: lpLocked(summary.lpLockedPct, risks) };
    items.push({ kind: 'token', address, listing: { facts } });
  }
  return items;
}

/** Returns null for 0 without any risk: the coin has not been measured. */
function lpLocked(percent: number | null | undefined, risks: readonly Risk[]): number | null {
  return percent == null || (percent === 0 && risks.length === 0) ? null : percent;
}

function factsOf(risks: readonly Risk[]): ListingFacts {
  const facts: ListingFacts = {};
  for (const risk of risks) Object.assign(facts, factOf(risk));
  return facts;
}

/** Names are an open set; unknown names yield no facts. */
function factOf({ name, score }: Risk): ListingFacts {
  switch (name.trim().toLowerCase()) {
    case 'mint authority still enabled':
      return { mintAuthority: 'live' };
    case 'freeze authority still enabled':
      return { freezeAuthority: 'live' };
    case 'mutable metadata':
      return { metadataMutable: true };
    case 'missing file metadata':
      return { metadataFile: false };
    case 'permanent control enabled':
      return { extensions: ['permanentDelegate'] };
    case 'creator history of rugged tokens':
      return { creatorRugged: rugsOf(score ?? 0) };
    default:
      return {};
  }
}

/** Returns the exact number when the score is a multiple of one rug's score, otherwise 1. */
function rugsOf(score: number): number {
  const rugs = score / SCORE_PER_RUG;
  return Number.isInteger(rugs) && rugs >= 1 ? rugs : 1;
}
