import { isIP } from 'node:net';
import { LRUCache } from 'lru-cache';

/** The hosts that this server serves. */
export type KnownHosts = ReturnType<typeof createKnownHosts>;

/** Hosts whose check is kept, at most. */
const MAX_KNOWN = 100;
const UNSPECIFIED: ReadonlySet<string> = new Set(['0.0.0.0', '::']);
/** A name, an IPv4 address or an IPv6 address in brackets, and perhaps a port. */
const HOST_FORM = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/** `host`: the address to listen on. `publicUrl`: null without one. */
export function createKnownHosts(config: { host: string; publicUrl: string | null }) {
  const isEverywhere = UNSPECIFIED.has(config.host);
  const own = new Set(
    [config.publicUrl === null ? '' : new URL(config.publicUrl).host, inBrackets(config.host)].flatMap(
      (host) => nameOf(host) ?? [],
    ),
  );
  function isOurs(host: string): boolean {
    const name = nameOf(host);
    if (name === null) return false;
    // An address can't be rebound: another site would need a name that resolves to it.
    return isLoopback(name) || own.has(name) || (isEverywhere && isIP(name) !== 0);
  }
  // Nearly all requests name the same host.
  const known = new LRUCache<string, boolean>({ max: MAX_KNOWN });

  return {
    /**
     * Returns whether `host`, as a client requested it with or without a port, is this server: loopback, the address it listens
     * on (any address when it listens on all), or the host of the public URL. An empty host is accepted: browsers always name one.
     */
    accepts(host: string): boolean {
      if (host === '') return true;
      const isKnown = known.get(host) ?? isOurs(host);
      if (!known.has(host)) known.set(host, isKnown);
      return isKnown;
    },
  };
}

/** Returns the name or address without port and brackets, as a browser writes it; null when `host` is neither. */
function nameOf(host: string): string | null {
  const url = `http://${host}`;
  if (!HOST_FORM.test(host) || !URL.canParse(url)) return null;
  return new URL(url).hostname.replace(/^\[|\]$|\.$/g, '');
}

function inBrackets(address: string): string {
  return isIP(address) === 6 ? `[${address}]` : address;
}

function isLoopback(name: string): boolean {
  return (
    name === 'localhost' ||
    name.endsWith('.localhost') ||
    name === '::1' ||
    (isIP(name) === 4 && name.startsWith('127.'))
  );
}
