import { IncomingMessage, type Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';
import type Koa from 'koa';
import { PublicError } from '../../../common/errors.ts';
import { DAY, SECOND } from '../../../common/time.ts';
import { isOwnOrigin } from '../../../realtime/origin.ts';
import { REQUEST_ID_HEADER } from '../request-log.ts';
import type { Forwarding } from './forwarding.ts';

/** Half a year: long enough to count, short enough to go back. */
const HSTS_SECONDS = (180 * DAY) / SECOND;
/** Features of the browser that no page of ours uses. */
const UNUSED_FEATURES = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'hid',
  'magnetometer',
]
  .concat(['microphone', 'midi', 'payment', 'serial', 'usb', 'xr-spatial-tracking'])
  .map((feature) => `${feature}=()`)
  .join(', ');
/** Path of Socket.IO's requests. */
const TRANSPORT_PATH = '/socket.io';
const TRANSPORT_HEADERS = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'SAMEORIGIN',
} as const;

/**
 * Returns headers that keep a browser from being used against its user: all content comes from this server, and no page may
 * frame it. They are the same for every response. `connectTo`: addresses besides this server that the client talks to; their
 * origins are allowed. `isHttps`: browsers reach the server by HTTPS, and shall use nothing else from then on.
 */
export function securityHeaders(connectTo: readonly string[] = [], isHttps = false): Record<string, string> {
  const protect = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'self'"],
        'base-uri': ["'none'"],
        'connect-src': ["'self'", ...new Set(connectTo.map((url) => new URL(url).origin))],
        'font-src': ["'self'", 'data:'],
        'form-action': ["'self'"],
        'frame-ancestors': ["'none'"],
        'img-src': ["'self'", 'data:'],
        'object-src': ["'none'"],
        'script-src': ["'self'"],
        // The virtualized lists and the charts position rows and points by style attributes.
        'style-src': ["'self'", "'unsafe-inline'"],
      },
    },
    // Without subdomains, which may be other services.
    strictTransportSecurity: isHttps && { maxAge: HSTS_SECONDS, includeSubDomains: false },
  });
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  response.setHeader('Permissions-Policy', UNUSED_FEATURES);
  protect(request, response, () => {});
  return Object.fromEntries(response.getHeaderNames().map((name) => [name, String(response.getHeader(name))]));
}

/** Sets these headers on each response, and the id of its request. */
export function setHeaders(headers: Readonly<Record<string, string>>): Koa.Middleware {
  const all = Object.entries(headers);
  return (ctx, next) => {
    for (const [name, value] of all) ctx.res.setHeader(name, value);
    ctx.res.setHeader(REQUEST_ID_HEADER, ctx.state.requestId);
    return next();
  };
}

/**
 * Sets headers on the responses that do not pass through Koa, which are those of Socket.IO's polling and its refusals. To be
 * called after Socket.IO is attached, which hides its requests from earlier listeners.
 */
export function setTransportHeaders(server: Server, isHttps: boolean): void {
  server.prependListener('request', (request, response) => {
    if (!request.url?.startsWith(TRANSPORT_PATH)) return;
    for (const [name, value] of Object.entries(TRANSPORT_HEADERS)) response.setHeader(name, value);
    if (isHttps) response.setHeader('Strict-Transport-Security', `max-age=${HSTS_SECONDS}`);
  });
}

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses state-changing requests from pages of other sites. Browsers add `Origin` to each of them and a page cannot
 * change it; a request without it comes from a program, which holds no cookies of other sites.
 */
export function refuseForeignOrigin({ requestedHost }: Forwarding): Koa.Middleware {
  return (ctx, next) => {
    if (READING.has(ctx.method) || isOwnOrigin(ctx.req.headers, requestedHost(ctx.req))) return next();
    throw new PublicError('foreign-origin');
  };
}

/** Refuses requests for a host that is not ours: the page of another site could read responses to them (DNS rebinding). */
export function refuseUnknownHost(isOwnHost: (request: IncomingMessage) => boolean): Koa.Middleware {
  return (ctx, next) => {
    if (isOwnHost(ctx.req)) return next();
    throw new PublicError('unknown-host');
  };
}
