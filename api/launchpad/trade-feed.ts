import type { Logger } from 'pino';
import type { Clock, Random } from '../../common/time.ts';
import type { StartedChain } from '../chain/endpoint.ts';
import type { ChainEvent, CoinChain } from '../market/sources/simulator/listed/coin-chain.ts';
import type { Frames } from '../market/sources/solana/decode/frames.ts';
import { openLogSubscription } from '../market/sources/solana/feed/log-subscription.ts';
import { pumpProgram } from '../market/sources/solana/programs.ts';
import { createGrowingCache } from '../platform/growing-cache.ts';
import { pause } from '../platform/resilience.ts';
import { chainEvents } from './launchpad-frames.ts';

/** Pause before missed events are fetched again, ms: the chain may be restarting. */
const RETRY_MS = 500;
/** Most live events that wait for the missed ones before them, and most signatures that are remembered as fetched. */
const MOST_HELD = 50_000;

/** Follows the launchpad's trades. After each connection the missed events come first, and live ones wait. */
export function followTrades(
  deps: {
    chain: Pick<StartedChain, 'wsUrl'>;
    frames: Frames;
    /** Returns whether a transaction was made for a simulated wallet. */
    isCrowd(signature: string): boolean;
    missed: CoinChain['missed'];
    clock: Clock;
    random: Random;
    log: Logger;
  },
  { coins, onEvents }: Parameters<CoinChain['follow']>[0],
): () => void {
  const { frames, clock, log } = deps;
  const stopping = new AbortController();
  /** Signatures of missed events, which a live frame may repeat. */
  const fetched = createGrowingCache<true>(MOST_HELD);
  /** Live events that wait; null: none has to. */
  let held: ChainEvent[] | null = null;
  let connections = 0;

  function receive(events: readonly ChainEvent[]): void {
    const isHeld = held !== null && held.length < MOST_HELD;
    if (isHeld) held?.push(...events);
    else publish(events.filter(({ observation }) => !fetched.has(observation.chain.signature)));
  }

  function publish(events: readonly ChainEvent[]): void {
    if (events.length > 0) onEvents(events);
  }

  async function catchUp(connection: number): Promise<void> {
    // Those of an earlier connection are among the missed ones.
    held = [];
    const isCurrent = (): boolean => connection === connections && !stopping.signal.aborted;
    while (isCurrent()) {
      try {
        for (const coin of coins()) {
          const events = await deps.missed(coin);
          if (!isCurrent()) return;
          for (const { observation } of events) fetched.set(observation.chain.signature, true);
          publish(events);
        }
        break;
      } catch (error) {
        log.warn({ err: error }, 'missed trades of listed coins not fetched, retrying');
        await pause(RETRY_MS, stopping.signal);
      }
    }
    if (!isCurrent()) return;
    const events = held ?? [];
    held = null;
    receive(events);
  }

  const subscription = openLogSubscription(
    { ...deps, wsUrl: deps.chain.wsUrl, cluster: 'local' },
    {
      program: pumpProgram,
      name: 'subscription to listed coins',
      onFrame(raw) {
        const frame = frames.read(raw, { receivedAt: clock.now(), shift: 0 });
        if (frame.kind === 'transaction') receive(chainEvents(frame.observations, deps.isCrowd(frame.signature)));
        return frame;
      },
      onSubscribed() {
        connections += 1;
        void catchUp(connections);
      },
    },
  );
  return () => {
    stopping.abort();
    subscription.stop();
  };
}
