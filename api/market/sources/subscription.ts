import type { Logger } from 'pino';
import WebSocket from 'ws';
import type { Clock, Random } from '../../../common/time.ts';
import { backoff } from '../../platform/resilience.ts';
import type { SourceFigures } from './source.ts';

export interface SubscriptionTimes {
  /** Until the WebSocket must be open and the subscription acknowledged, together, ms. */
  openMs: number;
  /** Between pings, ms. A peer that has not answered the ping before is gone, whatever TCP says. */
  pingMs: number;
  /** Without any frame for so long the subscription is taken for dead although the connection lives, ms. */
  silenceMs: number;
  /** First pause before a new connection and the longest one, ms. */
  retryBaseMs: number;
  retryMaxMs: number;
  /** A connection that lasted so long was a good one: the next pause is short again, ms. */
  goodMs: number;
}

export const defaultSubscriptionTimes: SubscriptionTimes = {
  openMs: 10_000,
  pingMs: 15_000,
  silenceMs: 60_000,
  retryBaseMs: 500,
  retryMaxMs: 30_000,
  goodMs: 10_000,
};

/** What a frame says about the subscription itself. */
export type FrameVerdict = 'subscribed' | 'refused' | 'other';

export interface SubscriptionOptions {
  /** May hold a key, so it is never logged. */
  url: string;
  /** Sent in this order as soon as the connection is open. */
  requests: readonly string[];
  /** What log lines call it, e.g. `log subscription`. */
  name: string;
  times: SubscriptionTimes;
  clock: Clock;
  random: Random;
  log: Logger;
  /** Reads a frame's text, and says what it means for the subscription; after `refused` the connection begins anew. */
  read(raw: string): FrameVerdict;
  /** The subscription stands; `again` when it stood before, so that something may have been missed. */
  onSubscribed(again: boolean): void;
}

export interface Subscription {
  /** `down` after several connections in a row that failed before they were subscribed. */
  state(): 'connecting' | 'live' | 'down';
  /** Connections that were lost or never stood, and when the last of them ended, epoch ms; null without one. */
  errors(): { count: number; lastAt: number | null };
  /** Sends a text; false when there is no connection to send it on. */
  send(text: string): boolean;
  stop(): void;
}

/** Figures of a subscription that never had trouble. It is never given up, so that it has no circuit; nor has it a limit. */
export const quietStream: SourceFigures = {
  reason: null,
  errors: 0,
  lastErrorAt: null,
  malformed: 0,
  circuit: 'closed',
  retryAt: null,
  budget: null,
  key: 'none',
};

const failuresUntilDown = 3;
/** Frames are a few kB; notifications of whole blocks have been seen above 1 MB. */
const maxFrameBytes = 16 * 1_024 * 1_024;

/** Keeps one WebSocket subscription alive: connects, subscribes, watches, and begins anew when any of it ends. */
export function openSubscription(options: SubscriptionOptions): Subscription {
  const { times, log, random, name } = options;
  const address = new URL(options.url);
  // A WebSocket address must not have one, and says so by throwing.
  address.hash = '';
  let socket: WebSocket | undefined;
  let retry: NodeJS.Timeout | undefined;
  let stopped = false;
  let subscribed = false;
  let everSubscribed = false;
  let failures = 0;
  let attempt = 0;
  const errors: ReturnType<Subscription['errors']> = { count: 0, lastAt: null };

  function connect(): void {
    const opened = performance.now();
    const ws = new WebSocket(address, {
      handshakeTimeout: times.openMs,
      maxPayload: maxFrameBytes,
      perMessageDeflate: false,
    });
    socket = ws;
    const watch = watchOver(ws, times, (why) => {
      log.warn({ why }, `the ${name} is silent; connecting anew`);
      ws.terminate();
    });
    ws.on('open', () => {
      for (const request of options.requests) ws.send(request);
    });
    ws.on('message', (data) => {
      if (stopped) return;
      watch.heard();
      const verdict = options.read(textOf(data));
      if (verdict === 'refused') ws.terminate();
      if (verdict !== 'subscribed' || subscribed) return;
      watch.subscribed();
      succeeded();
    });
    // Without a listener an error event ends the process. 'close' follows and does what is needed.
    ws.on('error', (error) => log.warn({ reason: error.message }, `${name} failed`));
    ws.on('close', () => {
      watch.stop();
      ended(performance.now() - opened);
    });
  }

  function succeeded(): void {
    subscribed = true;
    failures = 0;
    log.info({ again: everSubscribed }, `the ${name} stands`);
    options.onSubscribed(everSubscribed);
    everSubscribed = true;
  }

  function ended(lastedMs: number): void {
    if (stopped) return;
    errors.count += 1;
    errors.lastAt = options.clock.now();
    if (!subscribed) failures += 1;
    // A peer that accepts and drops at once must not be met with a storm of connections.
    if (subscribed && lastedMs >= times.goodMs) attempt = 0;
    subscribed = false;
    const wait = backoff(attempt, { base: times.retryBaseMs, max: times.retryMaxMs, random });
    attempt += 1;
    log.warn({ attempt, waitMs: Math.round(wait) }, `the ${name} ended; connecting anew`);
    retry = setTimeout(connect, wait);
  }

  connect();
  return {
    state: () => (subscribed ? 'live' : failures >= failuresUntilDown ? 'down' : 'connecting'),
    errors: () => ({ ...errors }),
    send(text) {
      if (socket?.readyState !== WebSocket.OPEN) return false;
      socket.send(text);
      return true;
    },
    stop() {
      stopped = true;
      subscribed = false;
      clearTimeout(retry);
      // Not a polite close: nobody waits for the peer's answer.
      socket?.terminate();
    },
  };
}

/** Ends a connection that is not subscribed in time, answers no ping, or says nothing. */
function watchOver(ws: WebSocket, times: SubscriptionTimes, giveUp: (why: string) => void) {
  let answered = true;
  const opening = setTimeout(() => giveUp('not subscribed in time'), times.openMs);
  const silence = setTimeout(() => giveUp('no frame'), times.silenceMs);
  const ping = setInterval(() => {
    if (ws.readyState !== WebSocket.OPEN) return;
    if (!answered) return giveUp('no pong');
    answered = false;
    ws.ping();
  }, times.pingMs);
  ws.on('pong', () => {
    answered = true;
  });
  return {
    heard: () => void silence.refresh(),
    subscribed: () => clearTimeout(opening),
    stop() {
      clearTimeout(opening);
      clearTimeout(silence);
      clearInterval(ping);
    },
  };
}

/** The text of a message in whichever form `ws` gives it. */
export function textOf(data: WebSocket.RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString('utf8');
  return data instanceof ArrayBuffer ? Buffer.from(data).toString('utf8') : data.toString('utf8');
}
