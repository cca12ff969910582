/** PubSub over WebSocket: accounts, signatures, logs and slots. */
import { createHash } from 'node:crypto';
import { WebSocketServer } from 'ws';
import { ENCODINGS, NO_ACCOUNT, presentAccount } from './accounts.mjs';
import { CODES, invalidParams, RpcError } from './errors.mjs';
import { LEVELS } from './ledger.mjs';
import { isFromHere } from './origin.mjs';
import { addressParam, levelParam, optionsParam, signatureParam } from './params.mjs';

const LONGEST_MESSAGE_BYTES = 64 * 1024;
const MOST_CLIENTS = 500;
const MOST_SUBSCRIPTIONS_EACH = 500;
/** A client that reads so slowly is cut off; it connects again and asks what it has missed. */
const MOST_UNREAD_BYTES = 1024 * 1024;
const FINAL_AFTER = 32;
const METHOD = /^(account|logs|signature|slot)(Unsubscribe|Subscribe)$/;

/**
 * @typedef {object} Subscription
 * @property {number} id
 * @property {string} topic what it listens to
 * @property {import('./ledger.mjs').Level} level
 * @property {import('ws').WebSocket} socket
 * @property {string} [encoding]
 * @property {string} [seen] digest of an account as it was last told
 * @property {Map<number, Subscription>} mine those of its socket
 */

/** What a subscription listens to, as one text, so that an event finds its listeners at once. */
function topicOf(kind, argument) {
  switch (kind) {
    case 'account':
      return `account ${addressParam(argument)}`;
    case 'signature':
      return `signature ${signatureParam(argument)}`;
    case 'logs': {
      if (argument === 'all' || argument === 'allWithVotes') return 'logs';
      const { mentions } = optionsParam(argument);
      if (!Array.isArray(mentions) || mentions.length !== 1)
        throw invalidParams('Invalid Request: Only 1 address supported');
      return `logs ${addressParam(mentions[0])}`;
    }
    default:
      return 'slot';
  }
}

/** @param {Pick<import('./methods.mjs').Parts, 'engine' | 'slots' | 'history' | 'ledger'>} parts */
export function createPubSub({ engine, slots, history, ledger }) {
  const server = new WebSocketServer({ noServer: true, maxPayload: LONGEST_MESSAGE_BYTES, autoPong: false });
  /** @type {Map<string, Set<Subscription>>} */
  const byTopic = new Map();
  let lastId = 0;

  const send = (socket, message) => {
    if (socket.bufferedAmount > MOST_UNREAD_BYTES) socket.terminate();
    else if (socket.readyState === socket.OPEN) socket.send(JSON.stringify({ jsonrpc: '2.0', ...message }));
  };
  const notify = ({ id, socket }, method, result) => send(socket, { method, params: { result, subscription: id } });
  const inContext = (value) => ({ context: { slot: slots.slot() }, value });
  const listeners = (topic) => [...(byTopic.get(topic) ?? [])];

  const drop = (subscription) => {
    subscription.mine.delete(subscription.id);
    const all = byTopic.get(subscription.topic);
    all?.delete(subscription);
    if (all?.size === 0) byTopic.delete(subscription.topic);
  };

  const accountNow = ({ topic, encoding }) => {
    const state = engine.account(topic.slice('account '.length));
    return state ? presentAccount(state, { encoding }, engine.account) : NO_ACCOUNT;
  };

  const tellAccount = (subscription) => {
    let value;
    try {
      value = accountNow(subscription);
    } catch {
      // It has grown past what its encoding may show. The client hears that the connection ended, and nobody else does.
      subscription.socket.terminate();
      return;
    }
    // A digest: accounts may be large, and their listeners many.
    const seen = createHash('sha256').update(JSON.stringify(value)).digest('base64');
    if (seen === subscription.seen) return;
    subscription.seen = seen;
    notify(subscription, 'accountNotification', inContext(value));
  };

  const tellSignature = (subscription, record) => {
    notify(subscription, 'signatureNotification', inContext({ err: record.meta.err }));
    drop(subscription); // it ends with its one message, by the protocol
  };

  ledger.onLevel((record, level) => {
    const at = (topic) => listeners(topic).filter((subscription) => subscription.level === level);
    for (const subscription of at(`signature ${record.signature}`)) tellSignature(subscription, record);
    const { err, logMessages: logs } = record.meta;
    const keys = [...new Set(record.keys)];
    for (const subscription of ['logs', ...keys.map((key) => `logs ${key}`)].flatMap(at)) {
      notify(subscription, 'logsNotification', inContext({ signature: record.signature, err, logs }));
    }
    for (const subscription of keys.flatMap((key) => at(`account ${key}`))) tellAccount(subscription);
  });

  ledger.onSlot(() => {
    const slot = slots.slot();
    for (const subscription of listeners('slot')) {
      notify(subscription, 'slotNotification', { parent: slot - 1, root: slot - FINAL_AFTER, slot });
    }
  });

  const subscribe = (socket, mine, kind, [argument, options]) => {
    if (mine.size >= MOST_SUBSCRIPTIONS_EACH) throw new RpcError(CODES.unhealthy, 'Too many subscriptions');
    const topic = topicOf(kind, argument);
    const { commitment, encoding = 'base64' } = optionsParam(options);
    if (!ENCODINGS.includes(encoding)) throw invalidParams('unsupported encoding');
    // Nothing counts as told yet: what changed between the client's reading and its listening must not be kept from it.
    const subscription = { id: ++lastId, topic, level: levelParam(commitment), socket, encoding, mine };
    mine.set(subscription.id, subscription);
    byTopic.set(topic, (byTopic.get(topic) ?? new Set()).add(subscription));
    return subscription;
  };

  const unsubscribe = (mine, [id]) => {
    const subscription = mine.get(id);
    if (!subscription) throw invalidParams('Invalid subscription id.');
    drop(subscription);
    return true;
  };

  /** A signature that is there already is told at once, after the answer. */
  const tellIfThere = (subscription) => {
    const record = history.get(subscription.topic.slice('signature '.length));
    if (!record) return;
    if (LEVELS.indexOf(ledger.levelOf(record)) >= LEVELS.indexOf(subscription.level))
      tellSignature(subscription, record);
  };

  const handle = (socket, mine, request, id) => {
    const [, kind, action] = typeof request.method === 'string' ? (METHOD.exec(request.method) ?? []) : [];
    const params = Array.isArray(request.params) ? request.params : [];
    if (!kind) throw new RpcError(CODES.methodNotFound, 'Method not found');
    if (action === 'Unsubscribe') return send(socket, { id, result: unsubscribe(mine, params) });
    const subscription = subscribe(socket, mine, kind, params);
    send(socket, { id, result: subscription.id });
    if (kind === 'signature') tellIfThere(subscription);
  };

  const onMessage = (socket, mine, data) => {
    let id = null;
    try {
      const request = parse(data);
      if (request.id === undefined) return; // a ping of web3.js
      // Anything else would be sent back as it came, however deep it is.
      if (['string', 'number'].includes(typeof request.id)) id = request.id;
      handle(socket, mine, request, id);
    } catch (error) {
      const known = error instanceof RpcError ? error : new RpcError(CODES.internal, 'Internal error');
      if (known !== error) console.error(error);
      send(socket, { id, error: { code: known.code, message: known.message } });
    }
  };

  server.on('connection', (socket) => {
    /** @type {Map<number, Subscription>} */
    const mine = new Map();
    socket.on('message', (data) => onMessage(socket, mine, data));
    socket.on('ping', (data) => {
      if (socket.bufferedAmount > MOST_UNREAD_BYTES) socket.terminate();
      else if (socket.readyState === socket.OPEN) socket.pong(data);
    });
    socket.on('error', () => {}); // 'close' follows
    socket.on('close', () => {
      for (const subscription of [...mine.values()]) drop(subscription);
    });
  });

  return {
    /** For the `upgrade` event of an HTTP server. */
    upgrade(request, socket, head) {
      socket.on('error', () => {}); // whoever hangs up now needs no answer
      if (!isFromHere(request.headers.origin) || server.clients.size >= MOST_CLIENTS) {
        socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n', () => socket.destroy());
        return;
      }
      server.handleUpgrade(request, socket, head, (client) => server.emit('connection', client));
    },
    close() {
      for (const client of server.clients) client.terminate();
      server.close();
    },
    /** How many topics are listened to. */
    topics: () => byTopic.size,
  };
}

function parse(data) {
  try {
    const request = JSON.parse(data.toString());
    if (typeof request === 'object' && request !== null) return request;
  } catch {
    // Said below.
  }
  throw new RpcError(CODES.parse, 'Parse error');
}
