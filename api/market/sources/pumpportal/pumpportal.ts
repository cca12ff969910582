import { LRUCache } from 'lru-cache';
import type { Clock, Random } from '../../../../common/time.ts';
import { healthyFigures, type Source, type SourceContext, type SourceFigures } from '../source.ts';
import {
  defaultSubscriptionTimes,
  type FrameVerdict,
  openSubscription,
  type Subscription,
  type SubscriptionTimes,
} from '../subscription.ts';
import { createPortalFrames, type PortalFrame } from './frames.ts';

export interface PumpPortalOptions {
  /** Without the key. */
  url?: string | undefined;
  /** Part of the connection's address, so neither is ever logged. Launches need no key. */
  key: string | null;
  /**
   * Subscribes to trades of the newest coins, which the service sells to keys with a balance. Not together with the `solana`
   * source: both report the same trades with different indexes, and they would count twice.
   */
  trades?: boolean;
  /** Most coins with subscribed trades; default `TRACKED`. */
  tracked?: number;
  clock: Clock;
  random: Random;
  times?: Partial<SubscriptionTimes>;
}

const SERVICE = 'wss://pumpportal.fun/api/data';
/** 20 to 43 s without a launch are normal; this long, ms, means that the subscription is dead although the connection lives. */
const SILENCE = 120_000;
/** Most coins with subscribed trades: about twenty minutes of launches. */
const TRACKED = 500;
/** Longest shown part of a notice. */
const NOTICE_LENGTH = 200;

/** Observes launches on pump.fun and letsbonk.fun, and migrations to a pool, over PumpPortal's WebSocket. */
export function createPumpPortal(options: PumpPortalOptions): Source {
  const { key } = options;
  let running: ReturnType<typeof run> | undefined;
  let stopped = false;
  return {
    name: 'pumpportal',
    async start(context) {
      if (!stopped) running = run(options, context);
    },
    async stop() {
      stopped = true;
      running?.stop();
    },
    status: () => ({
      state: stopped ? 'stopped' : (running?.socket.state() ?? 'connecting'),
      lastEventAt: running?.lastEventAt() ?? null,
    }),
    figures(): SourceFigures {
      const errors = running?.socket.errors();
      const isDown = running?.socket.state() === 'down';
      return {
        ...healthyFigures,
        reason: isDown ? 'PumpPortal could not be reached.' : (running?.notice() ?? null),
        errors: errors?.count ?? 0,
        lastErrorAt: errors?.lastAt ?? null,
        malformed: running?.malformed() ?? 0,
        key: key === null ? 'optional-missing' : 'set',
      };
    },
  };
}

function run(options: PumpPortalOptions, context: SourceContext) {
  const { key, clock, random, trades = false, tracked: max = TRACKED } = options;
  const { log } = context;
  const frames = createPortalFrames();
  const tracked: LRUCache<string, true> = new LRUCache<string, true>({
    max,
    dispose(_value, mint, reason) {
      if (reason === 'evict') socket.send(request('unsubscribeTokenTrade', [mint]));
    },
  });
  const wantsTrades = trades && key !== null;
  let lastEventAt: number | null = null;
  let notice: string | null = null;

  function track(mint: string): void {
    if (tracked.has(mint)) return;
    tracked.set(mint, true);
    socket.send(request('subscribeTokenTrade', [mint]));
  }

  /** Subscribes to trades of coins that were alive at the start. */
  async function trackStored(): Promise<void> {
    try {
      for (const { address } of (await context.storedTokens()).slice(0, max).reverse()) track(address);
    } catch {
      // Without the database there are none to resume; new ones follow.
      log.warn('stored tokens not loaded');
    }
  }

  function onFrame(raw: string): FrameVerdict {
    const receivedAt = clock.now();
    const frame = frames.read(raw, receivedAt);
    if (frame.kind === 'notice') {
      notice = noteOf(frame, key);
      log.warn({ notice }, 'pumpportal notice received');
    }
    if (frame.kind !== 'event') return frame.kind === 'accepted' ? 'subscribed' : 'other';
    lastEventAt = receivedAt;
    context.observe(frame.observations);
    if (wantsTrades && frame.launched !== null) track(frame.launched);
    return 'subscribed';
  }

  const socket: Subscription = openSubscription({
    url: addressOf(options),
    requests: [request('subscribeNewToken'), request('subscribeMigration')],
    name: 'PumpPortal subscription',
    times: { ...defaultSubscriptionTimes, silenceMs: SILENCE, ...options.times },
    clock,
    random,
    log,
    onFrame,
    onSubscribed() {
      notice = null;
      if (tracked.size > 0) socket.send(request('subscribeTokenTrade', [...tracked.rkeys()]));
    },
  });
  if (wantsTrades) void trackStored();
  return {
    socket,
    lastEventAt: () => lastEventAt,
    notice: () => notice,
    malformed: () => frames.counts().malformed,
    stop() {
      socket.stop();
      log.info(frames.counts(), 'pumpportal source stopped');
    },
  };
}

function addressOf({ url = SERVICE, key }: PumpPortalOptions): string {
  const address = new URL(url);
  if (key !== null) address.searchParams.set('api-key', key);
  return address.toString();
}

function request(method: string, keys?: readonly string[]): string {
  return JSON.stringify(keys === undefined ? { method } : { method, keys });
}

/** Returns the start of a notice without the key. */
function noteOf({ text }: Extract<PortalFrame, { kind: 'notice' }>, key: string | null): string {
  const shown = key === null ? text : text.replaceAll(key, '…');
  return `PumpPortal: ${shown.slice(0, NOTICE_LENGTH)}`;
}
