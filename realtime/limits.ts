/** Limits of the gateway: generous for people, and small enough that no client can fill the memory. */
export const GATEWAY_LIMITS = {
  /** Connections in all; more are refused before the handshake. */
  connections: 10_000,
  connectionsPerUser: 50,
  /** Many people may share one address, so this one is wide; more are refused before the handshake. */
  connectionsPerAddress: 2_000,
  /** Of those, connections without a user; one more closes the oldest of them that is not being identified. */
  waitingPerAddress: 200,
  /** Topics of one socket at the same time. */
  topics: 64,
  /** Filtered lists that one socket follows, and that all follow together; further ones are refused. */
  listsPerSocket: 5,
  lists: 1_000,
  /** Different lists of one user while a further one is opened, which takes a scan of all tokens. */
  listsPerUser: 25,
  /** Lists that one user opens a second, and at once after a pause. */
  listsOpenedPerSecond: 2,
  listsOpenedAtOnce: 10,
  /** Least time between two events of a list without a change, ms, and between two looks at what time changed. */
  emptyListMs: 500,
  /** Events a second from one socket; further ones get an error ack. */
  eventsPerSecond: 20,
  /** Packets a second of any kind, even malformed ones; further ones close the connection. */
  packetsPerSecond: 100,
  /** A socket with more than this in Engine.IO's queue is slow (F6). */
  queuedPackets: 512,
  // With the frames built from it and one flush in the kernel, this stays below 1 MB in total.
  queuedBytes: 256 * 1024,
  /** Time limit for a slow socket to drain before it is closed, ms. */
  slowMs: 30_000,
  /** Interval of the queue checks, ms. */
  sweepMs: 100,
  /** A live client that reports a position of longer ago is closed, ms (F9). */
  behindMs: 15_000,
  /** Interval in which the own position is remembered for that, ms. */
  markMs: 1_000,
  /** Time without following the feed log after which all sockets are closed, ms (F10). */
  awayMs: 4_000,
  /** Interval of the session checks, ms: L1 allows 5 s. */
  sessionCheckMs: 2_000,
  /** Time limit for writing out the queues at a stop, ms: a part of the 5 s in which everything stops. */
  drainMs: 1_700,
};
export type GatewayLimits = Record<keyof typeof GATEWAY_LIMITS, number>;

/**
 * Token bucket that holds two seconds' worth at most, unless given another size. Not a library's limiter: it runs synchronously for every packet of
 * every connection and takes two numbers of memory. rate-limiter-flexible takes six times the memory and the processor time.
 */
export interface TokenBucket {
  left: number;
  at: number;
}

const BURST_SECONDS = 2;

export function createBucket(perSecond: number, now: number): TokenBucket {
  return { left: perSecond * BURST_SECONDS, at: now };
}

/** Takes `cost` from the bucket, which holds `most`. Returns false when not enough is left. */
export function take(
  bucket: TokenBucket,
  perSecond: number,
  now: number,
  cost = 1,
  most = perSecond * BURST_SECONDS,
): boolean {
  // A clock that was set back must not empty the bucket.
  const passed = Math.max(0, now - bucket.at);
  bucket.left = Math.min(most, bucket.left + (passed / 1000) * perSecond);
  bucket.at = now;
  if (bucket.left < cost) return false;
  bucket.left -= cost;
  return true;
}
