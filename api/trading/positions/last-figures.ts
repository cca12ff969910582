import type { Logger } from 'pino';
import { SECOND } from '../../../common/time.ts';
import type { EventSource } from '../../events/bus.ts';
import type { Market } from '../../market/market.ts';
import type { TradedCoin } from '../../market/traded/traded-coin.ts';
import type { OpenBook } from './open-book.ts';
import type { HeldFigures } from './record.ts';
import type { PositionService } from './service.ts';

/** Tokens that reported no price are read, and removed ones looked for, in this interval, ms. */
const ROUND_MS = 10 * SECOND;

/**
 * Remembers the figures of held tokens while the market has them, and stores them with their positions once a token is
 * removed: it can then still be sold, and has a last value.
 */
export interface LastFigures {
  start(): void;
  /** Resolves after the present round. */
  stop(): Promise<void>;
}

export interface LastFiguresDeps {
  book: OpenBook;
  market: Pick<Market, 'liveCoin' | 'onMoved' | 'onRemoving'>;
  update: PositionService['update'];
  bus: EventSource;
  log: Logger;
}

export function createLastFigures({ book, market, update, bus, log }: LastFiguresDeps): LastFigures {
  const last = new Map<string, HeldFigures>();
  let timer: NodeJS.Timeout | undefined;
  let subscriptions: (() => void)[] = [];
  let present: Promise<void> = Promise.resolve();

  /** Returns whether the market has the token, whose figures are then noted. */
  function note(address: string): boolean {
    const coin = market.liveCoin(address);
    if (coin) last.set(address, figuresOf(coin));
    return coin !== null;
  }

  /** Stores the figures of a removed token with its positions, once. */
  async function keep(address: string): Promise<void> {
    const figures = last.get(address);
    if (!figures) return;
    for (const { _id } of book.of(address)) {
      await update(_id, (before) => (before.figures?.at === figures.at ? null : { ...before, figures }));
    }
  }

  async function round(): Promise<void> {
    const held = new Set(book.addresses());
    for (const address of last.keys()) if (!held.has(address)) last.delete(address);
    for (const address of held) if (!note(address)) await keep(address);
  }

  function runRound(): void {
    present = present.then(round).catch((error: unknown) => {
      log.warn({ error }, 'figures of removed tokens were not stored, retrying');
    });
  }

  return {
    start() {
      subscriptions = [
        market.onMoved(({ steps }) => {
          const held = steps.filter(({ address }) => book.has(address));
          for (const address of new Set(held.map((step) => step.address))) note(address);
        }),
        // Before they are gone, so that no crash loses them.
        market.onRemoving(async (addresses) => {
          for (const address of addresses) {
            note(address);
            await keep(address);
          }
        }),
        bus.on('token-removed', runRound),
        bus.on('position-changed', ({ position: { token } }) => {
          if (!last.has(token.address) && book.has(token.address)) note(token.address);
        }),
      ];
      timer ??= setInterval(runRound, ROUND_MS);
      timer.unref();
      runRound();
    },
    async stop() {
      for (const end of subscriptions) end();
      clearInterval(timer);
      await present;
    },
  };
}

function figuresOf({ launchpad, quote, stage, reserves, reservesVenue, price, reservesAt }: TradedCoin): HeldFigures {
  return { launchpad, quote, stage, reserves, reservesVenue, price, at: reservesAt };
}
