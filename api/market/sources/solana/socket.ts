import type { Logger } from 'pino';
import WebSocket from 'ws';
import { backoff } from '../../../chain/backoff.ts';
import type { Random } from '../source.ts';
import type { Frame } from './frames.ts';

export interface LogSocketTimes {
  /** Until the WebSocket must be open and the subscription acknowledged, each, ms. */
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

export const defaultSocketTimes: LogSocketTimes = {
  openMs: 10_000,
  pingMs: 15_000,
  silenceMs: 60_000,
  retryBaseMs: 500,
  retryMaxMs: 30_000,
  goodMs: 10_000,
};

export interface LogSocketOptions {
  url: string;
  /** The one account whose transactions are subscribed to. */
  mentions: string;
  times: LogSocketTimes;
  random: Random;
  log: Logger;
  /** Reads a frame's text; answers and refusals come back to the socket, the rest is the caller's. */
  read(raw: string): Frame;
  /** The subscription stands; `again` when it stood before, so that something may have been missed. */
  onSubscribed(again: boolean): void;
}

export interface LogSocket {
  /** `down` after several connections in a row that failed before they were subscribed. */
  state(): 'connecting' | 'live' | 'down';
  stop(): void;
}

const subscribeId = 1;
const failuresUntilDown = 3;
/** Frames of logs are a few kB; notifications of whole blocks have been seen above 1 MB. */
const maxFrameBytes = 16 * 1_024 * 1_024;

/** Keeps one `logsSubscribe` alive: connects, subscribes, watches, and begins anew when any of it ends. */
export function openLogSocket(options: LogSocketOptions): LogSocket {
  const { times, log, random } = options;
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

  function connect(): void {
    const opened = performance.now();
    const ws = new WebSocket(address, {
      handshakeTimeout: times.openMs,
      maxPayload: maxFrameBytes,
      perMessageDeflate: false,
    });
    socket = ws;
    const watch = watchOver(ws, times, (why) => {
      log.warn({ why }, 'the log subscription is silent; connecting anew');
      ws.terminate();
    });
    ws.on('open', () => ws.send(subscription(options.mentions)));
    ws.on('message', (data) => {
      watch.heard();
      const frame = options.read(textOf(data));
      if (frame.kind === 'answer' && frame.id === subscribeId) {
        watch.subscribed();
        succeeded();
      } else if (frame.kind === 'error') {
        log.warn({ code: frame.code, text: frame.message }, 'the node refuses the log subscription');
        ws.terminate();
      }
    });
    // Without a listener an error event ends the process. 'close' follows and does what is needed.
    ws.on('error', (error) => log.warn({ reason: error.message }, 'log subscription failed'));
    ws.on('close', () => {
      watch.stop();
      ended(performance.now() - opened);
    });
  }

  function succeeded(): void {
    subscribed = true;
    failures = 0;
    log.info({ again: everSubscribed }, 'subscribed to the logs');
    options.onSubscribed(everSubscribed);
    everSubscribed = true;
  }

  function ended(lastedMs: number): void {
    if (stopped) return;
    if (!subscribed) failures += 1;
    // A node that accepts and drops at once must not be met with a storm of connections.
    if (subscribed && lastedMs >= times.goodMs) attempt = 0;
    subscribed = false;
    const wait = backoff(attempt, { base: times.retryBaseMs, max: times.retryMaxMs, random });
    attempt += 1;
    log.warn({ attempt, waitMs: Math.round(wait) }, 'the log subscription ended; connecting anew');
    retry = setTimeout(connect, wait);
  }

  connect();
  return {
    state: () => (subscribed ? 'live' : failures >= failuresUntilDown ? 'down' : 'connecting'),
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
function watchOver(ws: WebSocket, times: LogSocketTimes, giveUp: (why: string) => void) {
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

function subscription(account: string): string {
  const params = [{ mentions: [account] }, { commitment: 'confirmed' }];
  return JSON.stringify({ jsonrpc: '2.0', id: subscribeId, method: 'logsSubscribe', params });
}

/** The text of a message in whichever form `ws` gives it. */
export function textOf(data: WebSocket.RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString('utf8');
  return data instanceof ArrayBuffer ? Buffer.from(data).toString('utf8') : data.toString('utf8');
}
