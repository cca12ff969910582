/** PubSub over WebSocket: accounts, signatures, logs and slots. */
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import { FINAL_AFTER, LEVELS, type Level } from '../ledger/confirmations.ts';
import type { TransactionRecord } from '../storage/records.ts';
import { type AccountFormat, NO_ACCOUNT, presentAccount } from './account-json.ts';
import { idOf } from './dispatch.ts';
import { CODES, invalidParams, RpcError } from './errors.ts';
import { isLocalOrigin } from './http-server.ts';
import type { Parts as AllParts } from './method.ts';
import { accountFormat, addressParam, levelParam, optionsParam, signatureParam } from './params.ts';

const LONGEST_MESSAGE_BYTES = 64 * 1024;
const MAX_CLIENTS = 500;
const MAX_SUBSCRIPTIONS_EACH = 500;
/** A slower reader is disconnected; it reconnects and requests the current state. */
const MAX_UNREAD_BYTES = 1024 * 1024;
const METHOD = /^(account|logs|signature|slot)(Unsubscribe|Subscribe)$/;

type Parts = Pick<AllParts, 'engine' | 'slots' | 'history' | 'ledger'>;

interface Subscription {
  id: number;
  /** Kind and argument as one text, so that an event finds its subscriptions at once. */
  topic: string;
  level: Level;
  socket: WebSocket;
  encoding: AccountFormat['encoding'];
  /** Digest of the account in the last notification. */
  sent?: string;
}

interface Request {
  id?: unknown;
  method?: unknown;
  params?: unknown;
}

/** Creates the PubSub service. Its `upgrade` handles the `upgrade` event of an HTTP server. */
export function createPubSub(parts: Parts) {
  const server = new WebSocketServer({ noServer: true, maxPayload: LONGEST_MESSAGE_BYTES, autoPong: false });
  const subscriptions = createSubscriptions();
  publishLedger(parts, subscriptions);
  server.on('connection', (socket) => {
    socket.on('message', (data) => handleMessage(parts, subscriptions, socket, data));
    socket.on('ping', (data) => {
      if (socket.bufferedAmount > MAX_UNREAD_BYTES) socket.terminate();
      else if (socket.readyState === socket.OPEN) socket.pong(data);
    });
    socket.on('error', () => {}); // 'close' follows
    socket.on('close', () => subscriptions.removeAll(socket));
  });
  return {
    upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
      socket.on('error', () => {}); // a client that disconnects now needs no response
      if (!isLocalOrigin(request.headers.origin) || server.clients.size >= MAX_CLIENTS) {
        socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n', () => socket.destroy());
        return;
      }
      server.handleUpgrade(request, socket, head, (client) => server.emit('connection', client));
    },
    close(): void {
      for (const client of server.clients) client.terminate();
      server.close();
    },
  };
}

type Subscriptions = ReturnType<typeof createSubscriptions>;

/** The subscriptions of all clients, by topic and by socket. */
function createSubscriptions() {
  const byTopic = new Map<string, Set<Subscription>>();
  const bySocket = new Map<WebSocket, Map<number, Subscription>>();
  let lastId = 0;
  const remove = ({ id, topic, socket }: Subscription): void => {
    const sameTopic = byTopic.get(topic);
    for (const one of sameTopic ?? []) if (one.id === id) sameTopic?.delete(one);
    if (sameTopic?.size === 0) byTopic.delete(topic);
    bySocket.get(socket)?.delete(id);
  };
  return {
    /** Returns the subscriptions of a topic, of one level unless it is left out. */
    of: (topic: string, level?: Level): Subscription[] =>
      [...(byTopic.get(topic) ?? [])].filter((one) => level === undefined || one.level === level),
    add(given: Omit<Subscription, 'id' | 'sent'>): Subscription {
      const mine = bySocket.get(given.socket) ?? new Map<number, Subscription>();
      if (mine.size >= MAX_SUBSCRIPTIONS_EACH) throw new RpcError(CODES.unhealthy, 'Too many subscriptions');
      lastId += 1;
      const subscription = { id: lastId, ...given };
      bySocket.set(given.socket, mine.set(subscription.id, subscription));
      byTopic.set(given.topic, (byTopic.get(given.topic) ?? new Set()).add(subscription));
      return subscription;
    },
    remove,
    /** Removes a subscription of this socket. Returns false when there is none with this id. */
    removeById(socket: WebSocket, id: unknown): boolean {
      const subscription = typeof id === 'number' ? bySocket.get(socket)?.get(id) : undefined;
      if (subscription) remove(subscription);
      return subscription !== undefined;
    },
    removeAll(socket: WebSocket): void {
      for (const subscription of bySocket.get(socket)?.values() ?? []) remove(subscription);
      bySocket.delete(socket);
    },
  };
}

function send(socket: WebSocket, message: object): void {
  if (socket.bufferedAmount > MAX_UNREAD_BYTES) socket.terminate();
  else if (socket.readyState === socket.OPEN) socket.send(JSON.stringify({ jsonrpc: '2.0', ...message }));
}

const notify = ({ id, socket }: Subscription, method: string, result: unknown): void =>
  send(socket, { method, params: { result, subscription: id } });

/** Publishes the ledger's events to the subscriptions. */
function publishLedger(parts: Parts, subscriptions: Subscriptions): void {
  const { slots, ledger } = parts;
  ledger.onLevel((record, level) => {
    for (const one of subscriptions.of(`signature ${record.signature}`, level)) {
      notifySignature(parts, subscriptions, one, record);
    }
    const { err, logMessages: logs } = record.meta;
    const keys = [...new Set(record.keys)];
    for (const topic of ['logs', ...keys.map((key) => `logs ${key}`)]) {
      const value = { signature: record.signature, err, logs };
      for (const one of subscriptions.of(topic, level)) notify(one, 'logsNotification', inContext(parts, value));
    }
    for (const key of keys) {
      for (const one of subscriptions.of(`account ${key}`, level)) notifyAccount(parts, one, key);
    }
  });
  ledger.onSlot(() => {
    const slot = slots.slot();
    for (const one of subscriptions.of('slot')) {
      notify(one, 'slotNotification', { parent: slot - 1, root: slot - FINAL_AFTER, slot });
    }
  });
}

const inContext = ({ slots }: Parts, value: unknown) => ({ context: { slot: slots.slot() }, value });

function notifySignature(
  parts: Parts,
  subscriptions: Subscriptions,
  subscription: Subscription,
  record: TransactionRecord,
): void {
  notify(subscription, 'signatureNotification', inContext(parts, { err: record.meta.err }));
  subscriptions.remove(subscription); // the protocol ends it with its one notification
}

function notifyAccount(parts: Parts, subscription: Subscription, address: string): void {
  const { engine } = parts;
  let value: object;
  try {
    const state = engine.account(address);
    value = state ? presentAccount(state, subscription, engine.account) : NO_ACCOUNT;
  } catch {
    // The account no longer fits into the requested encoding. Only this client's connection ends.
    subscription.socket.terminate();
    return;
  }
  // A digest, since accounts may be large and have many subscriptions.
  const digest = createHash('sha256').update(JSON.stringify(value)).digest('base64');
  if (digest === subscription.sent) return;
  subscription.sent = digest;
  notify(subscription, 'accountNotification', inContext(parts, value));
}

function handleMessage(parts: Parts, subscriptions: Subscriptions, socket: WebSocket, data: RawData): void {
  let id: string | number | null = null;
  try {
    const request = parse(data);
    if (request.id === undefined) return; // a ping of web3.js
    id = idOf(request);
    handleRequest(parts, subscriptions, socket, request, id);
  } catch (error) {
    const known = error instanceof RpcError ? error : new RpcError(CODES.internal, 'Internal error');
    if (known !== error) console.error(error);
    send(socket, { id, error: { code: known.code, message: known.message } });
  }
}

function handleRequest(
  parts: Parts,
  subscriptions: Subscriptions,
  socket: WebSocket,
  { method, params }: Request,
  id: string | number | null,
): void {
  const [, kind, action] = (typeof method === 'string' ? METHOD.exec(method) : null) ?? [];
  const [argument, options]: unknown[] = Array.isArray(params) ? params : [];
  if (kind === undefined) throw new RpcError(CODES.methodNotFound, 'Method not found');
  if (action === 'Unsubscribe') {
    if (!subscriptions.removeById(socket, argument)) throw invalidParams('Invalid subscription id.');
    send(socket, { id, result: true });
    return;
  }
  const topic = topicOf(kind, argument);
  const level = levelParam(optionsParam(options).commitment);
  // Without a digest, the first event notifies: a change between the client's read and its subscription is not lost.
  const { encoding } = accountFormat(options, 'base64');
  const subscription = subscriptions.add({ topic, level, socket, encoding });
  send(socket, { id, result: subscription.id });
  // A signature that has already reached its level is notified right after the response.
  const record = kind === 'signature' ? parts.history.get(signatureParam(argument)) : undefined;
  if (record && LEVELS.indexOf(parts.ledger.levelOf(record)) >= LEVELS.indexOf(level)) {
    notifySignature(parts, subscriptions, subscription, record);
  }
}

function topicOf(kind: string, argument: unknown): string {
  switch (kind) {
    case 'account':
      return `account ${addressParam(argument)}`;
    case 'signature':
      return `signature ${signatureParam(argument)}`;
    case 'logs': {
      if (argument === 'all' || argument === 'allWithVotes') return 'logs';
      const { mentions } = optionsParam(argument);
      if (!Array.isArray(mentions) || mentions.length !== 1) {
        throw invalidParams('Invalid Request: Only 1 address supported');
      }
      return `logs ${addressParam(mentions[0])}`;
    }
    default:
      return 'slot';
  }
}

function parse(data: RawData): Request {
  try {
    const request: unknown = JSON.parse(Buffer.isBuffer(data) ? data.toString() : '');
    if (typeof request === 'object' && request !== null) return request;
  } catch {
    // Reported below.
  }
  throw new RpcError(CODES.parse, 'Parse error');
}
