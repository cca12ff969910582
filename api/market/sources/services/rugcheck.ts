import { z } from 'zod';
import type { ListingFacts } from '../observation.ts';
import { nullIfUnknown } from '../polled/or-unknown.ts';
import type { ServiceApi, ServiceSpec, PolledItem } from '../polled/service-spec.ts';

const riskSchema = z.object({ name: z.string(), score: z.number().nullish() });
const summarySchema = z.object({
  risks: z.array(z.unknown()).nullish(),
  lpLockedPct: z.number().min(0).max(100).nullish(),
});
type Risk = z.output<typeof riskSchema>;

/** What it adds to its score for each earlier coin of the creator that ended as a rug: all scores seen are multiples of it. */
const SCORE_PER_RUG = 2_400;

/**
 * RugCheck's summaries. Only a risk that it names is a fact: a coin that nobody has measured yet comes without any, just as a
 * good one does. Its shares of holders are left out, as they may count what curve and pools hold.
 */
export const rugcheck: ServiceSpec = {
  name: 'rugcheck',
  baseUrl: 'https://api.rugcheck.xyz',
  key: { need: 'optional', header: 'X-API-KEY' },
  // 15 calls of a window whose length it does not tell; one in four seconds has been fine, and nothing is told of more.
  limit: () => ({ calls: 1, windowMs: 4_000 }),
  quotes: { batchSize: 1, maxPerRun: 30, fetch: summaries },
};

async function summaries(api: ServiceApi, addresses: readonly string[]): Promise<PolledItem[]> {
  const told: PolledItem[] = [];
  for (const address of addresses) {
    // "unable to generate report" (400) and "not found" (404) are usual for coins that are seconds old.
    const answer = await nullIfUnknown(api.get(`/v1/tokens/${address}/report/summary`));
    const summary = answer === null ? null : api.item(summarySchema, answer);
    if (summary === null) continue;
    const risks = summary.risks == null ? [] : api.items(riskSchema, summary.risks);
    const facts: ListingFacts = { ...factsOf(risks), lpLockedPercent: lpLocked(summary.lpLockedPct, risks) };
    told.push({ kind: 'token', address, listing: { facts } });
  }
  return told;
}

/** 0 without a single risk is what it says of a coin that it has not measured. */
function lpLocked(percent: number | null | undefined, risks: readonly Risk[]): number | null {
  return percent == null || (percent === 0 && risks.length === 0) ? null : percent;
}

function factsOf(risks: readonly Risk[]): ListingFacts {
  const facts: ListingFacts = {};
  for (const risk of risks) Object.assign(facts, factOf(risk));
  return facts;
}

/** Names are an open set: those that we have no check for say nothing to us. */
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

/** At least one; the exact number where the score is a multiple of what one counts. */
function rugsOf(score: number): number {
  const rugs = score / SCORE_PER_RUG;
  return Number.isInteger(rugs) && rugs >= 1 ? rugs : 1;
}
