import type { IncomingHttpHeaders } from 'node:http';
import { BlockList, isIP } from 'node:net';
import type Koa from 'koa';

const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'] as const;

/** What is looked at of a request. */
export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly socket: { readonly remoteAddress?: string | undefined };
}

/** Where a request comes from and what it asked for, with reverse proxies in between or without. */
export interface Forwarding {
  /** Drops what is said about the client by anyone but our proxies: it is the client's own claim. */
  clean(request: Received): void;
  /** The client's address. */
  clientAddress(request: Received): string;
  /** The host that the client asked for, with its port where it named one. */
  askedHost(request: Received): string;
}

/** `trusted`: the proxies to believe, as addresses and networks (`10.0.0.0/8`). */
export function createForwarding(trusted: readonly string[]): Forwarding {
  const proxies = blockList(trusted);
  const isTrusted = (address: string) => isIP(address) !== 0 && proxies.check(address, family(address));

  function clean({ headers, socket }: Received): void {
    if (isTrusted(plainAddress(socket.remoteAddress))) return;
    for (const name of FORWARDED) delete headers[name];
  }

  return {
    clean,
    clientAddress({ headers, socket }) {
      let client = plainAddress(socket.remoteAddress);
      // Each proxy adds whom it heard from: the first that is none of ours is as far back as anybody can be believed.
      for (const hop of listed(headers['x-forwarded-for']).toReversed().map(plainAddress)) {
        if (!isTrusted(client) || isIP(hop) === 0) break;
        client = hop;
      }
      return client;
    },
    askedHost(request) {
      clean(request);
      return listed(request.headers['x-forwarded-host'])[0] || (request.headers.host ?? '');
    },
  };
}

/** Makes Koa see the client's address and protocol by the same rules. */
export function believeProxies(app: Koa, { clean, clientAddress }: Forwarding): Koa.Middleware {
  app.proxy = true;
  return (ctx, next) => {
    clean(ctx.req);
    ctx.request.ip = clientAddress(ctx.req);
    return next();
  };
}

/** Whether `text` is an address or a network that can be trusted. */
export function isNetwork(text: string): boolean {
  const [address = '', prefix] = text.split('/');
  const version = isIP(address);
  if (version === 0 || text.split('/').length > 2) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128));
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

/** The items of a header that may come more than once. */
function listed(header: string | string[] | undefined): string[] {
  return [header ?? []]
    .flat()
    .join(',')
    .split(',')
    .map((item) => item.trim());
}

function family(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6';
}

/** An IPv4 address as such, also where the system writes it as an IPv6 one; an IPv6 one without its interface. */
function plainAddress(address = ''): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
}
