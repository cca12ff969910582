import type { Server, Socket } from 'socket.io';
import type { SessionUser } from '../common/auth/model.ts';
import type { ClientToServerEvents, ServerToClientEvents } from '../common/live/events.ts';
import type { Encoding, FeedCursor } from '../common/live/protocol.ts';
import type { Topic } from '../common/live/rooms.ts';
import type { TokenBucket } from './limits.ts';

/** Data of a socket from its handshake. */
export interface SocketData {
  user: SessionUser;
  sessionId: string;
  encoding: Encoding;
  /** Last feed position of a client that reconnects (F2). */
  cursor: FeedCursor | null;
  /** Set after the handshake. */
  client?: Client;
}

type NoServerEvents = Record<string, never>;
export type Io = Server<ClientToServerEvents, ServerToClientEvents, NoServerEvents, SocketData>;
export type LiveSocket = Socket<ClientToServerEvents, ServerToClientEvents, NoServerEvents, SocketData>;

/** A connected socket with the gateway's state about it. While it keeps up, its topics are the rooms it is in. */
export interface Client {
  readonly socket: LiveSocket;
  readonly user: SessionUser;
  readonly sessionId: string;
  /** Rate limit of its events; null before its first event. */
  eventLimit: TokenBucket | null;
  /** null while it receives everything live. */
  behind: Behind | null;
}

/** State of a client that must receive the entries after `cursor` before it joins the numbered feed again. */
export interface Behind {
  cursor: FeedCursor;
  /** Rooms to join after it has caught up. */
  readonly topics: Set<Topic>;
  /** True when it missed messages without a number, which cannot be replayed. */
  lost: boolean;
  /** Time since its queue has not been empty, epoch ms; null while it drains. */
  stalledSince: number | null;
  /** True while the log is being read for it. */
  reading: boolean;
  /** True after the close was sent. */
  closing: boolean;
}
