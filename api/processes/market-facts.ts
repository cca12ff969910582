import type { Connection } from 'mongoose';
import type { Logger } from 'pino';
import { SECOND } from '../../common/time.ts';
import { holderMarket, type MarketFacts } from './lease.ts';

/** Interval of the reads, ms. */
const READ_EVERY = 2 * SECOND;

const UNKNOWN: MarketFacts = { simulated: false, solUsd: null };

/** Reads the facts of the holder's market from its lease, at once and repeatedly. The last ones stay while there is no holder. */
export async function openMarketFacts(connection: Connection, log: Logger) {
  let facts = (await holderMarket(connection)) ?? UNKNOWN;
  let timer: NodeJS.Timeout | undefined;

  async function read(): Promise<void> {
    facts = (await holderMarket(connection)) ?? facts;
  }

  return {
    current: (): MarketFacts => facts,
    start(): void {
      timer = setInterval(() => {
        read().catch((error: unknown) => log.debug({ error }, 'facts of the market not read'));
      }, READ_EVERY);
    },
    stop(): void {
      clearInterval(timer);
    },
  };
}
