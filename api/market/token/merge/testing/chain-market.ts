import { Keypair } from '@solana/web3.js';
import type { TokenRecord } from '../../../../tokens/record.ts';
import { createFrames } from '../../../sources/solana/decode/frames.ts';
import { createPoolRegistry } from '../../../sources/solana/decode/pools.ts';
import type { PumpSwapEvent } from '../../../sources/solana/decode/pump-swap-events.ts';
import { pumpProgram, pumpSwapProgram } from '../../../sources/solana/programs.ts';
import { encodeEvent, encodePoolEvent, frameOf, logsOf } from '../../../sources/solana/testing/encode.ts';
import { createEvent, migrationEvent, someMint, somePool, tradeEvent } from '../../../sources/solana/testing/events.ts';
import { poolCreation } from '../../../sources/solana/testing/pool-events.ts';
import type { MissedTrades } from '../../../sources/source.ts';
import { fakeClock, testEngine } from '../../../testing/market.ts';
import { noChainWatch } from '../trade-chain.ts';

/** Creation of the coin, seconds. */
const start = 1_783_165_099;
/** Returns the address of a wallet, the same one for each number. */
export const wallet = (number: number) => Keypair.fromSeed(Buffer.alloc(32, number)).publicKey.toBase58();

/** Returns a market that reads frames of the chain; `at`: seconds since the creation. */
export function chainMarket() {
  const donated: MissedTrades[] = [];
  const missed: MissedTrades[] = [];
  const clock = fakeClock(start * 1_000);
  const { engine, store, tick } = testEngine({
    clock,
    solUsd: 150,
    chainWatch: {
      ...noChainWatch,
      donated: (_source, trades) => donated.push(trades),
      missed: (_source, trades) => missed.push(trades),
    },
  });
  const pools = createPoolRegistry();
  const frames = createFrames({ source: 'solana', cluster: 'mainnet', pools });
  let frameCount = 0;

  async function read(at: number, program: string, events: readonly Buffer[]): Promise<void> {
    clock.at = Math.max(clock.at, (start + at) * 1_000);
    frameCount += 1;
    const raw = frameOf({ signature: `signature${frameCount}`, slot: 100 + at, logs: logsOf(events, program) });
    const frame = frames.read(raw, { receivedAt: clock.now(), shift: 0 });
    if (frame.kind !== 'transaction') throw new Error('no transaction');
    engine.queue.add(frame.observations);
    await tick();
  }
  const timestamp = (at: number) => BigInt(start + at);
  return {
    donated,
    missed,
    tick,
    /** Learns the coin of the pool from its account, without the migration. */
    knowPool: () => pools.set(somePool, { mint: someMint, quote: 'SOL', isMain: true, coinIsBase: true, state: null }),
    curve: (at: number, ...events: Parameters<typeof encodeEvent>[0][]) =>
      read(at, pumpProgram, events.map(encodeEvent)),
    pool: (at: number, ...events: PumpSwapEvent[]) => read(at, pumpSwapProgram, events.map(encodePoolEvent)),
    timestamp,
    get token(): TokenRecord {
      const record = store.records.get(someMint);
      if (record === undefined) throw new Error('not stored');
      return record;
    },
    /** Creates the coin, and moves it into its pool after ten minutes. */
    async migrate() {
      await this.curve(0, createEvent({ timestamp: timestamp(0) }));
      await this.curve(5, tradeEvent({ timestamp: timestamp(5), user: wallet(1) }));
      await this.pool(600, poolCreation({ timestamp: timestamp(600) }));
      await this.curve(600, migrationEvent({ timestamp: timestamp(600) }));
    },
  };
}
