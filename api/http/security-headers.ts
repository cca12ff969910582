import type Koa from 'koa';
import helmet from 'koa-helmet';

/**
 * Headers that keep a browser from being used against its user: everything comes from here, and nobody frames us.
 * @param connectTo addresses the client talks to besides this server; their origins are let through
 */
export function securityHeaders(connectTo: readonly string[] = []): Koa.Middleware {
  return helmet({
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
        // The virtualised lists and the charts place their rows and points by style attributes.
        'style-src': ["'self'", "'unsafe-inline'"],
      },
    },
    // Whether this host is reached by HTTPS only is for the proxy that ends TLS to say.
    strictTransportSecurity: false,
  });
}
