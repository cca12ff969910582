import type { Server, Socket } from 'socket.io';
import type { SessionUser } from '../common/auth/model.ts';
import type { ClientToServerEvents, ServerToClientEvents } from '../common/live/events.ts';
import type { FeedCursor } from '../common/live/protocol.ts';
import type { Topic } from '../common/live/rooms.ts';
import type { Allowance } from './limits.ts';

/** What the handshake found out about a socket. */
export interface SocketData {
  user: SessionUser;
  sessionId: string;
  /** Where the client was when it had been here before (F2). */
  cursor: FeedCursor | null;
  /** Set when the handshake is over. */
  client?: Client;
}

type NoServerEvents = Record<string, never>;
export type Io = Server<ClientToServerEvents, ServerToClientEvents, NoServerEvents, SocketData>;
export type LiveSocket = Socket<ClientToServerEvents, ServerToClientEvents, NoServerEvents, SocketData>;

/** A connected socket and what the gateway remembers of it. While it keeps up, what it wants to hear are the rooms it is in. */
export interface Client {
  readonly socket: LiveSocket;
  readonly user: SessionUser;
  readonly sessionId: string;
  /** What it may still say; null before it said anything. */
  allowance: Allowance | null;
  /** Null while it gets everything as it happens. */
  behind: Behind | null;
}

/** A client that still has to get what came after `cursor` before it may hear the numbered feed again. */
export interface Behind {
  cursor: FeedCursor;
  /** The rooms it is to join when it has caught up. */
  readonly topics: Set<Topic>;
  /** True when messages without a number passed it by: nothing can replay those. */
  lost: boolean;
  /** Since when its queue has not been empty, epoch ms; null while it drains. */
  stalledSince: number | null;
  /** The log is being read for it. */
  reading: boolean;
  /** It has been told to go. */
  closing: boolean;
}
