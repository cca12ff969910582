import type { Clock, Random } from '../../../../common/time.ts';
import type { Source, SourceContext, SourceFigures } from '../source.ts';
import {
  defaultSubscriptionTimes,
  type FrameVerdict,
  openSubscription,
  quietStream,
  type Subscription,
  type SubscriptionTimes,
} from '../subscription.ts';
import { createPortalFrames, type PortalFrame } from './frames.ts';
import { TrackedMints } from './tracked-mints.ts';

export interface PumpPortalOptions {
  /** Without the key. */
  url?: string | undefined;
  /** Travels in the address of the connection, so that neither is ever logged. Launches come without one. */
  key: string | null;
  /**
   * Asks for trades of the newest coins, which the service sells to keys with a balance. Not beside the `solana` source, whose
   * trades they are too: the two name the place of a trade differently, and it would count twice.
   */
  trades?: boolean;
  clock: Clock;
  random: Random;
  times?: Partial<SubscriptionTimes>;
}

const SERVICE = 'wss://pumpportal.fun/api/data';
/** Without a launch for 20 to 43 s is normal; so long means that the subscription is dead although the connection lives. */
const SILENCE = 120_000;
/** Coins whose trades are asked for: about twenty minutes of launches. */
const TRACKED = 500;
/** What is said of the service in its own words is cut, and never shows a key. */
const NOTICE_LENGTH = 200;

/** Hears of launches on pump.fun and letsbonk.fun, and of coins that move to a pool, from PumpPortal's WebSocket. */
export function createPumpPortal(options: PumpPortalOptions): Source {
  const { key } = options;
  let running: Running | undefined;
  let stopped = false;
  return {
    name: 'pumpportal',
    async start(context) {
      if (stopped) return;
      running = begin(options, context);
      if (running.wantsTrades) void running.track(context.storedTokens());
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
        ...quietStream,
        reason: isDown ? 'PumpPortal could not be reached.' : (running?.notice() ?? null),
        errors: errors?.count ?? 0,
        lastErrorAt: errors?.lastAt ?? null,
        malformed: running?.malformed() ?? 0,
        key: key === null ? 'optional-missing' : 'set',
      };
    },
  };
}

interface Running {
  socket: Subscription;
  wantsTrades: boolean;
  /** Asks for the trades of coins that were alive at the start. */
  track(known: Promise<readonly { address: string }[]>): Promise<void>;
  lastEventAt(): number | null;
  notice(): string | null;
  malformed(): number;
  stop(): void;
}

function begin(options: PumpPortalOptions, context: SourceContext): Running {
  const { key, clock, random, trades = false } = options;
  const { log } = context;
  const frames = createPortalFrames();
  const tracked = new TrackedMints(TRACKED);
  const wantsTrades = trades && key !== null;
  let lastEventAt: number | null = null;
  let notice: string | null = null;

  function track(mint: string): void {
    const { subscribe, unsubscribe } = tracked.add(mint);
    if (subscribe.length > 0) socket.send(request('subscribeTokenTrade', subscribe));
    if (unsubscribe.length > 0) socket.send(request('unsubscribeTokenTrade', unsubscribe));
  }

  function read(raw: string): FrameVerdict {
    const receivedAt = clock.now();
    const frame = frames.read(raw, receivedAt);
    if (frame.kind === 'notice') notice = noteOf(frame, key);
    if (frame.kind === 'notice') log.warn({ notice }, 'PumpPortal says something');
    if (frame.kind !== 'event') return frame.kind === 'accepted' ? 'subscribed' : 'other';
    lastEventAt = receivedAt;
    context.observe(frame.observations);
    if (wantsTrades && frame.launched !== null) track(frame.launched);
    return 'subscribed';
  }

  const socket = openSubscription({
    url: addressOf(options),
    requests: [request('subscribeNewToken'), request('subscribeMigration')],
    name: 'PumpPortal subscription',
    times: { ...defaultSubscriptionTimes, silenceMs: SILENCE, ...options.times },
    clock,
    random,
    log,
    read,
    onSubscribed() {
      notice = null;
      const mints = tracked.all();
      if (mints.length > 0) socket.send(request('subscribeTokenTrade', mints));
    },
  });
  return {
    socket,
    wantsTrades,
    async track(known) {
      try {
        for (const { address } of (await known).slice(0, TRACKED).reverse()) track(address);
      } catch {
        // Without the database there are none to go on with; new ones come.
        log.warn('the coins to go on with could not be read');
      }
    },
    lastEventAt: () => lastEventAt,
    notice: () => notice,
    malformed: () => frames.counts().malformed,
    stop() {
      socket.stop();
      log.info(frames.counts(), 'stopped listening to PumpPortal');
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

function noteOf({ text }: Extract<PortalFrame, { kind: 'notice' }>, key: string | null): string {
  const shown = key === null ? text : text.replaceAll(key, '…');
  return `PumpPortal says: ${shown.slice(0, NOTICE_LENGTH)}`;
}
