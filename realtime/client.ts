import type { Server, Socket } from 'socket.io';
import type { SessionUser } from '../common/auth/model.ts';
import type { ClientToServerEvents, ServerToClientEvents } from '../common/live/events.ts';
import type { Encoding, FeedCursor } from '../common/live/protocol.ts';
import type { Topic } from '../common/live/rooms.ts';
import type { TokenBucket } from './limits.ts';

/** Result of a handshake. */
export interface Admission {
  user: SessionUser;
  sessionId: string;
  encoding: Encoding;
  /** Last feed position of a client that reconnects (F2). */
  cursor: FeedCursor | null;
}

/** Data of a socket: its admission between the handshake and the welcome, then its client. */
interface SocketData {
  admission?: Admission;
  client?: Client;
}

type NoServerEvents = Record<string, never>;
export type Io = Server<ClientToServerEvents, ServerToClientEvents, NoServerEvents, SocketData>;
export type LiveSocket = Socket<ClientToServerEvents, ServerToClientEvents, NoServerEvents, SocketData>;

/** A connected socket with the gateway's state about it. While it keeps up, its topics are the feed and the rooms it is in. */
export interface Client {
  readonly socket: LiveSocket;
  readonly user: SessionUser;
  readonly sessionId: string;
  readonly encoding: Encoding;
  /**
   * True while it is in the room `tokens`. That is no room of Socket.IO, whose sets take 230 bytes of a connection that is in no
   * other, and a look-up for each message.
   */
  isLive: boolean;
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
