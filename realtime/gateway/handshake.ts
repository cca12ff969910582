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
import type { LiveSocket, SocketData } from '../client.ts';
import type { Admission } from './connection-limits.ts';

/** Who a request comes from, by its session cookie; null without a valid session. Throws when that can't be found out. */
export type Authenticate = (request: IncomingMessage) => Promise<{ user: SessionUser; sessionId: string } | null>;

interface Deps {
  authenticate: Authenticate;
  admission: Admission;
  log: Logger;
}

/** Socket.IO middleware that lets in who may come in (L1, L2) and tells the others why not. */
export function createHandshake(deps: Deps) {
  return (socket: LiveSocket, next: (refusal?: Error) => void): void => {
    judge(socket, deps)
      .catch((error: unknown): ConnectErrorCode => {
        // The client tries again by itself.
        deps.log[isAway(error) ? 'debug' : 'error']({ error }, 'a handshake failed');
        return 'unavailable';
      })
      .then((verdict) => {
        if (typeof verdict === 'string') return next(refusal(verdict));
        Object.assign(socket.data, verdict);
        next();
      })
      .catch((error: unknown) => {
        // Nobody is left to tell: an unhandled rejection would end the process.
        deps.log.error({ error }, 'a socket could not be let in');
      });
  };
}

async function judge(socket: LiveSocket, { authenticate, admission }: Deps): Promise<ConnectErrorCode | SocketData> {
  if (!admission.mayAsk(socket.conn)) return 'too-many-requests';
  const session = await authenticate(socket.request);
  if (!session) return 'unauthenticated';
  const handshake = handshakeSchema.safeParse(socket.handshake.auth);
  if (!handshake.success || handshake.data.protocol !== PROTOCOL_VERSION) return 'protocol';
  if (!admission.admit(socket.conn, session.user.id)) return 'too-many-requests';
  return { ...session, cursor: cursorOf(handshake.data) };
}

function cursorOf({ epoch, seq }: Handshake): SocketData['cursor'] {
  return epoch === undefined || seq === undefined ? null : { epoch, seq };
}

function refusal(code: ConnectErrorCode): Error {
  return Object.assign(new Error(errors[code].text), { data: { code } });
}
