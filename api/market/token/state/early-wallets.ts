import { type Clock, DAY } from '../../../../common/time.ts';
import type { TokenRecord } from '../../../tokens/record.ts';
import { type EarlyWallets, FIRST_BUYERS } from '../../../tokens/wallets/labels.ts';
import type { MarketStore } from '../../publish/store.ts';
import type { HolderLedger } from './holder-ledger.ts';
import { ledgerOf } from './hydrate.ts';
import type { LiveToken } from './live-token.ts';

/** Creates the read of insiders and first buyers, from memory or else from the first stored trades. */
export function createEarlyWallets(deps: {
  live(address: string): Pick<LiveToken, 'ledger'> | undefined;
  store: Pick<MarketStore, 'firstTradesOf'>;
  clock: Clock;
}) {
  const { live, store, clock } = deps;
  /** Resolves with null when the creation was not observed, or when its trades have expired. */
  return async (record: TokenRecord): Promise<EarlyWallets | null> => {
    const ledger = live(record._id)?.ledger ?? null;
    if (ledger !== null) return earlyOf(ledger);
    if (!record.complete && record.sinceCreation !== true) return null;
    if (record.listedAt < clock.now() - DAY) return null;
    return earlyOf(ledgerOf(record, await store.firstTradesOf(record._id)));
  };
}

function earlyOf(ledger: HolderLedger): EarlyWallets {
  return { insiders: ledger.insiderWallets(), firstBuyers: ledger.firstBuyers(FIRST_BUYERS) };
}
