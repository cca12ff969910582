import type { Stage } from '../../../../common/tokens/model.ts';
import type { Reserves, SourceName } from '../../../tokens/record.ts';

/** Facts of a token as plans receive them; risk in percent, unknown is null. */
export interface HandedFacts {
  address: string;
  symbol: string | null;
  holders: number | null;
  risk: number | null;
  quote: string;
  decimals: number | null;
}

/** What plans received last of a token; its time in epoch ms. */
export interface HandedOver {
  at: number;
  source: SourceName;
  price: number | null;
  liquidityLamports: number | null;
  reserves: Reserves | null;
  venue: 'curve' | 'pool';
  stage: Stage;
  facts: HandedFacts | null;
}
