import type { IncomingHttpHeaders } from 'node:http';
import { BlockList, isIP } from 'node:net';
import type Koa from 'koa';
import { LRUCache } from 'lru-cache';

const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'] as const;
/** Addresses whose check is kept, at most. */
const MAX_CHECKED = 1_000;

/** The parts of a request that forwarding reads. */
export interface ReceivedRequest {
  readonly headers: IncomingHttpHeaders;
  readonly socket: { readonly remoteAddress?: string | undefined };
}

/** Resolves the client and the requested host of a request, with or without reverse proxies in between. */
export type Forwarding = ReturnType<typeof createForwarding>;

/**
 * `trusted`: addresses and networks (`10.0.0.0/8`) of the proxies to trust. `onUntrusted` receives the address of the first
 * peer that forwards for others without being one of them, once: a proxy that is not configured, or a client's own claim.
 */
export function createForwarding(trusted: readonly string[], onUntrusted?: (address: string) => void) {
  const proxies = blockList(trusted);
  let isReported = false;
  // Behind a proxy every request comes from the same few addresses, and a check takes a tenth of a 304.
  const checked = new LRUCache<string, boolean>({ max: MAX_CHECKED });

  function isTrusted(address: string): boolean {
    if (trusted.length === 0) return false;
    const known = checked.get(address);
    if (known !== undefined) return known;
    const isProxy = isIP(address) !== 0 && proxies.check(address, family(address));
    checked.set(address, isProxy);
    return isProxy;
  }

  /** Requests of other processes of this server, whose headers name the client's address and host. */
  const believed = new WeakSet<IncomingHttpHeaders>();

  const believes = ({ headers, socket }: ReceivedRequest): boolean =>
    believed.has(headers) || isTrusted(plainAddress(socket.remoteAddress));

  /** Removes forwarding headers that none of our proxies has set: they are the client's own claim. */
  function clean({ headers, socket }: ReceivedRequest): void {
    if (believes({ headers, socket })) return;
    const peer = plainAddress(socket.remoteAddress);
    if (!isReported && headers['x-forwarded-for'] !== undefined) {
      isReported = true;
      onUntrusted?.(peer);
    }
    for (const name of FORWARDED) if (headers[name] !== undefined) delete headers[name];
  }

  return {
    /** Returns whether forwarding headers of this request are trusted. */
    believes,
    /** Returns whether the address is that of a trusted proxy. */
    isProxy: (address: string): boolean => isTrusted(plainAddress(address)),
    clean,
    /** Trusts the forwarding headers of this request, wherever it comes from. */
    believe: ({ headers }: Pick<ReceivedRequest, 'headers'>): void => void believed.add(headers),
    /** Returns the client's address. */
    clientAddress({ headers, socket }: ReceivedRequest): string {
      let client = plainAddress(socket.remoteAddress);
      if (headers['x-forwarded-for'] === undefined) return client;
      if (believed.has(headers)) return plainAddress(listItems(headers['x-forwarded-for']).at(-1));
      // Each proxy appends the address it received from: the first that is not ours is the last trustworthy one.
      for (const hop of listItems(headers['x-forwarded-for']).toReversed().map(plainAddress)) {
        if (!isTrusted(client) || isIP(hop) === 0) break;
        client = hop;
      }
      return client;
    },
    /**
     * Returns the host that the client requested, with its port where it named one. Of several forwarded hosts the last counts,
     * which our nearest proxy has set: the ones before it can be the client's own claim.
     */
    requestedHost(request: ReceivedRequest): string {
      clean(request);
      const forwarded = request.headers['x-forwarded-host'];
      return (forwarded && listItems(forwarded).at(-1)) || (request.headers.host ?? '');
    },
  };
}

/**
 * Makes Koa see the client's address and protocol by the same rules. `isHttps`: every request counts as HTTPS, so that a proxy
 * that does not forward the protocol causes no insecure cookie.
 */
export function trustProxies(app: Koa, { clean, clientAddress }: Forwarding, isHttps = false): Koa.Middleware {
  app.proxy = true;
  return (ctx, next) => {
    clean(ctx.req);
    // Koa reads the first item, where a proxy appends the last one.
    const protocol = isHttps ? 'https' : listItems(ctx.req.headers['x-forwarded-proto']).at(-1);
    if (protocol) ctx.req.headers['x-forwarded-proto'] = protocol;
    ctx.request.ip = clientAddress(ctx.req);
    return next();
  };
}

function blockList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    if (prefix === undefined) list.addAddress(address, family(address));
    else list.addSubnet(address, Number(prefix), family(address));
  }
  return list;
}

/** Splits a header that may come more than once into its items. */
function listItems(header: string | string[] | undefined): string[] {
  if (header === undefined) return [];
  return [header]
    .flat()
    .join(',')
    .split(',')
    .map((item) => item.trim());
}

function family(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6';
}

/** Returns an IPv4 address as such, also where the system writes it as IPv6; an IPv6 one without its interface. */
function plainAddress(address = ''): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
}
