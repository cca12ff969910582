import type { IncomingMessage } from 'node:http';
import type Koa from 'koa';

const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'] as const;

/**
 * Believes what a reverse proxy says about the client (its address, HTTPS) only when that proxy runs on this machine:
 * from anywhere else these headers are the client's own claim and are dropped.
 */
export function trustLocalProxy(app: Koa): Koa.Middleware {
  app.proxy = true;
  // The last address is the one our proxy added; those before it were sent by the client.
  app.maxIpsCount = 1;
  return (ctx, next) => {
    dropForeignForwarding(ctx.req);
    return next();
  };
}

/** The same for a request that does not pass through the app, such as a socket handshake. */
export function dropForeignForwarding(request: IncomingMessage): void {
  if (isLoopback(request.socket.remoteAddress)) return;
  for (const name of FORWARDED) delete request.headers[name];
}

function isLoopback(address: string | undefined): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address ?? '');
}
