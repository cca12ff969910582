import type { MarketChange } from '../../market/traded/market-feed.ts';
import type { SourceName } from '../../tokens/record.ts';
import type { Change } from './core/model.ts';

/** Which sources are live, as the core knows it. */
export interface SourceStates {
  /** Returns the changes since the last tick, of all sources that the tokens of plans have. */
  take(changes: readonly MarketChange[], isLive: (source: SourceName) => boolean): Change[];
  clear(): void;
}

export function createSourceStates(): SourceStates {
  const known = new Map<SourceName, boolean | null>();
  return {
    take(changes, isLive) {
      for (const change of changes) {
        if (change.type === 'token' && !known.has(change.token.source)) known.set(change.token.source, null);
      }
      const taken: Change[] = [];
      for (const [source, before] of known) {
        const now = isLive(source);
        if (now === before) continue;
        known.set(source, now);
        taken.push({ type: 'source', source, isLive: now });
      }
      return taken;
    },
    clear: () => known.clear(),
  };
}
