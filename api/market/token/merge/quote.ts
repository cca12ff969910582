import type { SourceName } from '../../sources/observation.ts';

/** What a data service said, when it was so (epoch ms), and which service. */
export interface Word<Value> {
  value: Value;
  at: number;
  source: SourceName;
}

/**
 * The figures of a token in the words of data services, the best word of each. They are kept apart from what the chain's
 * events make, so that a dollar price counts as soon as a rate is known, and the order in which words arrive changes nothing.
 */
export interface Told {
  price: Word<{ amount: number; in: 'SOL' | 'USD' }> | null;
  liquidityLamports: Word<number> | null;
  marketCapUsd: Word<number> | null;
  volumeUsd: Word<number> | null;
  holderCount: Word<number> | null;
  /** Earlier coins of the creator that ended as rugs. */
  creatorRugged: Word<number> | null;
}
