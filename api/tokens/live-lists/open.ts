import type { Model } from 'mongoose';
import type { Logger } from 'pino';
import type { Clock } from '../../../common/time.ts';
import type { Token } from '../../../common/tokens/model.ts';
import type { ListWatch } from '../../../realtime/list-watch.ts';
import type { LiveIndex } from '../list-index/live-index.ts';
import { presentToken } from '../present.ts';
import type { ListedRecord, TokenRecord } from '../record.ts';
import { filterContext, listedProjection, type TokenMarket } from '../service.ts';
import { withCurrentVolume } from '../volume.ts';
import { createListWatch } from './list-watch.ts';

/** Opens the filtered lists of this process: rows from its index, complete tokens from memory, or else from MongoDB. */
export function openListWatch(deps: {
  tokens: Model<TokenRecord>;
  index: LiveIndex;
  market: Pick<TokenMarket, 'liveRecord' | 'solUsd'>;
  clock: Clock;
  log: Logger;
}): ListWatch {
  const { tokens, index, market, clock, log } = deps;
  const present = (record: ListedRecord, now: number): Token => presentToken(withCurrentVolume(record, now));
  return createListWatch({
    index,
    context: () => filterContext(market, clock),
    liveToken(address, now) {
      const record = market.liveRecord(address);
      return record === undefined ? null : present(record, now);
    },
    async readTokens(addresses) {
      // Index { _id: 1 }.
      const records = await tokens
        .find({ _id: { $in: [...addresses] } }, listedProjection)
        .lean<ListedRecord[]>()
        .exec();
      return records.map((record) => present(record, clock.now()));
    },
    log,
  });
}
