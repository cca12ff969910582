import type { Fact } from '../../../../common/tokens/risk/score.ts';
import { sourceLabel } from '../merge/facts.ts';
import { type LiveToken, setFact } from '../state/live-token.ts';
import { type CreatorHistory, launchOf } from './creator-history.ts';

const SOURCE_STORE = 'coins seen by this server';

/** Updates the facts that follow from other coins of the creator and the symbol. Returns true when one changed. */
export function refreshHistoryFacts(live: LiveToken, history: CreatorHistory): boolean {
  const { symbol, createdAt } = live.record;
  if (createdAt === null) return false;
  const launch = { ...launchOf(live.record), at: createdAt };
  const fact = <Value>(value: Value): Fact<Value> => ({ value, at: createdAt, source: SOURCE_STORE });
  let changed = false;
  if (launch.creator !== null || launch.user !== null) {
    changed = setFact(live, 'creatorLaunches24h', fact(history.launchesBefore(launch)));
    const rugged = worstHistory(live, history.ruggedBefore(launch), createdAt);
    // Replaced also at the same value, so that the evidence names the present source.
    const isOtherSource = rugged !== null && live.record.facts.creatorRugged?.source !== rugged.source;
    if (isOtherSource) live.record.facts.creatorRugged = null;
    if (setFact(live, 'creatorRugged', rugged)) changed = true;
  }
  const twin = history.twinOf(symbol, launch.address, createdAt);
  if (setFact(live, 'symbolTwin', twin === null ? null : fact(twin))) changed = true;
  return changed;
}

/** Returns the higher count of rugs, ours or a data service's: each of them misses some. */
function worstHistory(live: LiveToken, counted: number | null, createdAt: number): Fact<number> | null {
  const report = live.record.reported?.creatorRugged ?? null;
  if (report !== null && report.value >= (counted ?? 0)) {
    return { value: report.value, at: report.at, source: sourceLabel(report.source) };
  }
  return counted === null ? null : { value: counted, at: createdAt, source: SOURCE_STORE };
}
