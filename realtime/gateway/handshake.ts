import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import type { SessionUser } from '../../common/auth/model.ts';
import { errors, isAway } from '../../common/errors.ts';
import {
  type ConnectErrorCode,
  type Handshake,
  handshakeSchema,
  PROTOCOL_VERSION,
} from '../../common/live/protocol.ts';
import type { Admission, LiveSocket } from '../client.ts';
import type { ConnectionLimits } from './connection-limits.ts';

/** Resolves with user and session of a request by its session cookie; null without a valid session. Rejects while the database is away. */
export type Authenticate = (request: IncomingMessage) => Promise<{ user: SessionUser; sessionId: string } | null>;

interface Deps {
  authenticate: Authenticate;
  /** Returns false while clients are refused, since the feed is away. */
  isAvailable: () => boolean;
  connections: ConnectionLimits;
  log: Logger;
}

/** Creates the Socket.IO middleware that authenticates a client, or refuses it with a reason (L1, L2). */
export function createHandshake(deps: Deps) {
  return (socket: LiveSocket, next: (refusal?: Error) => void): void => {
    authorize(socket, deps)
      .finally(() => deps.connections.endHandshake(socket.conn))
      .catch((error: unknown): ConnectErrorCode => {
        // The client retries by itself.
        deps.log[isAway(error) ? 'debug' : 'error']({ error }, 'handshake failed');
        return 'unavailable';
      })
      .then((verdict) => {
        if (typeof verdict === 'string') return next(refusal(verdict, socket.handshake.auth));
        socket.data.admission = verdict;
        next();
      })
      .catch((error: unknown) => {
        // An unhandled rejection would end the process.
        deps.log.error({ error }, 'handshake could not be completed');
      });
  };
}

async function authorize(
  socket: LiveSocket,
  { authenticate, isAvailable, connections }: Deps,
): Promise<ConnectErrorCode | Admission> {
  if (!connections.startHandshake(socket.conn)) return 'too-many-requests';
  const session = await authenticate(socket.request);
  if (!session) return 'unauthenticated';
  if (!isAvailable()) return 'unavailable';
  const handshake = handshakeSchema.safeParse(socket.handshake.auth);
  if (!handshake.success || handshake.data.protocol !== PROTOCOL_VERSION) return 'protocol';
  if (!connections.assignUser(socket.conn, session.user.id)) return 'too-many-requests';
  return { ...session, encoding: handshake.data.encoding ?? 'named', cursor: cursorOf(handshake.data) };
}

function cursorOf({ epoch, seq }: Handshake): Admission['cursor'] {
  return epoch === undefined || seq === undefined ? null : { epoch, seq };
}

/** Any version: a page of this product sends one, also when it is outdated. */
const versionedSchema = handshakeSchema.pick({ protocol: true });
/** For a program that was written for another server, or without the reference. */
const FOREIGN = `Send auth.protocol ${PROTOCOL_VERSION} with the connection, as described in /api/docs under live events.`;

function refusal(code: ConnectErrorCode, auth: unknown): Error {
  const isForeign = code === 'protocol' && !versionedSchema.safeParse(auth).success;
  return Object.assign(new Error(isForeign ? FOREIGN : errors[code].text), { data: { code } });
}
