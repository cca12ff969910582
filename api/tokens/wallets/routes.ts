import type { RouterInstance } from '@koa/router';
import { type Clock, SECOND } from '../../../common/time.ts';
import { tokenCalls } from '../../../common/tokens/http.ts';
import type { EventSource } from '../../events/bus.ts';
import { createJsonText, type JsonText } from '../../http/json-text.ts';
import { register } from '../../http/route.ts';
import { createRecentReads } from '../../platform/recent-reads.ts';
import type { SearchTurns } from '../search-turns.ts';
import { findOrThrow, type TokenMarket, type TokenQueries } from '../service.ts';
import { labelWallets } from './labels.ts';
import { presentHolders, presentWallets } from './present.ts';
import { presentCreator } from './present-creator.ts';

/** Tokens whose wallets are kept, at most, and how long a read is reused, ms: holders take a look at all trades of the coin. */
const MAX_TOKENS = 64;
const WALLETS_MAX_AGE = 2 * SECOND;
const HOLDERS_MAX_AGE = 5 * SECOND;
const CREATOR_MAX_AGE = 10 * SECOND;

export interface WalletRouteDeps {
  queries: Pick<TokenQueries, 'byAddress' | 'creatorCoins' | 'holderFigures'>;
  market: Pick<TokenMarket, 'earlyWallets'>;
  bus: EventSource;
  clock: Clock;
  searches: SearchTurns;
}

/** Registers the calls about the wallets of a token, which are read and serialised once in some seconds, however many watch it. */
export function walletRoutes(router: RouterInstance, deps: WalletRouteDeps): void {
  const { queries, market, bus, clock, searches } = deps;

  async function readWallets(address: string): Promise<JsonText> {
    const record = await findOrThrow(queries, address);
    return createJsonText(presentWallets(labelWallets(record, await market.earlyWallets(record))));
  }

  async function readHolders(address: string): Promise<JsonText> {
    const record = await findOrThrow(queries, address);
    const [early, figures] = await Promise.all([market.earlyWallets(record), queries.holderFigures(record)]);
    return createJsonText(presentHolders(record, labelWallets(record, early), figures));
  }

  async function readCreator(address: string): Promise<JsonText> {
    const coins = await queries.creatorCoins(await findOrThrow(queries, address));
    return createJsonText(presentCreator(coins, clock.now()));
  }

  const creators = createRecentReads(readCreator, { maxAge: CREATOR_MAX_AGE, max: MAX_TOKENS, clock });
  const wallets = createRecentReads(readWallets, { maxAge: WALLETS_MAX_AGE, max: MAX_TOKENS, clock });
  const holders = createRecentReads(readHolders, { maxAge: HOLDERS_MAX_AGE, max: MAX_TOKENS, clock });
  bus.on('token-removed', () => {
    for (const reads of [wallets, creators, holders]) reads.clear();
  });

  register(
    router,
    tokenCalls.wallets,
    async ({ params: { address } }) => (await wallets.get(address)) ?? readWallets(address),
  );

  register(
    router,
    tokenCalls.creator,
    async ({ params: { address } }) => (await creators.get(address)) ?? readCreator(address),
  );

  register(router, tokenCalls.holders, async ({ params: { address } }, { user }) => {
    const read = async () => (await holders.get(address)) ?? readHolders(address);
    return holders.known(address) ?? searches.run(user._id.toHexString(), read);
  });
}
