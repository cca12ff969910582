import { createHmac, randomBytes } from 'node:crypto';
import { type Connection, type Model, Types } from 'mongoose';
import { z } from 'zod';
import { PublicError } from '../../common/errors.ts';
import { type Clock, SECOND } from '../../common/time.ts';
import type { Webhook } from '../../common/webhook/model.ts';
import type { Audit } from '../audit/service.ts';
import type { EventSink } from '../events/bus.ts';
import type { RequestActor } from '../http/caller.ts';
import { createLimiter, type Limits } from '../http/limits/rate-limits.ts';
import type { Keys } from '../keys/service.ts';
import { isAllowedPort, isPublicAddress } from './address.ts';
import { type WebhookRecord, webhookModel } from './model.ts';
import { createPost, type Post, type PostResult } from './post.ts';

const PURPOSE = 'webhook';
const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;
/** Time of a delivery (epoch s) and its HMAC-SHA256, hexadecimal, with the secret over the time, a dot and the body. */
const SIGNATURE_HEADER = 'X-Mintwatch-Signature';

const targetSchema = z.strictObject({ url: z.string(), secret: z.string() });

interface WebhookDeps {
  connection: Connection;
  keys: Pick<Keys, 'seal' | 'open'>;
  audit: Pick<Audit, 'record'>;
  limits: Limits;
  bus: EventSink;
  clock: Clock;
  /** Default: posts to public addresses. */
  post?: Post;
}

/** The webhooks of users: one each. */
export type Webhooks = Awaited<ReturnType<typeof openWebhooks>>;

export async function openWebhooks(deps: WebhookDeps) {
  const { connection, keys, audit, bus, clock, post = createPost() } = deps;
  const webhooks = webhookModel(connection);
  const changes = await createLimiter(connection, 'webhook', deps.limits.webhookPerUser);
  const idOf = (userId: string) => new Types.ObjectId(userId);
  const find = (userId: string) => webhooks.findById(idOf(userId)).lean<WebhookRecord>().exec();

  const deliver = createDelivery({ webhooks, keys, bus, clock, post });

  return {
    deliver,
    async get(userId: string): Promise<Webhook | null> {
      const record = await find(userId);
      return record && presentWebhook(record);
    },
    /** Returns those of these users who have a webhook. By _id. */
    async ofUsers(userIds: readonly string[]): Promise<Set<string>> {
      const found = await webhooks
        .find({ _id: { $in: userIds.map(idOf) } }, { _id: 1 })
        .lean<Pick<WebhookRecord, '_id'>[]>();
      return new Set(found.map(({ _id }) => _id.toHexString()));
    },
    /**
     * Sets the address with a new secret, which is stored sealed. Throws `invalid-input` for an IP address that is not public, and for a port;
     * a name is resolved when something is delivered.
     */
    async save(by: RequestActor, url: string): Promise<{ webhook: Webhook; secret: string }> {
      const userId = by.user._id.toHexString();
      const { host } = checkedUrl(url);
      await changes.count(userId);
      await audit.record('webhook-saved', by, userId, host);
      const secret = SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64url');
      const sealed = await keys.seal(userId, PURPOSE, Buffer.from(JSON.stringify({ url, secret })));
      const set = { host, sealed, createdAt: new Date(clock.now()), lastAt: null, problem: null };
      const record = await webhooks
        .findOneAndUpdate({ _id: by.user._id }, { $set: set }, { upsert: true, returnDocument: 'after' })
        .lean<WebhookRecord>()
        .orFail();
      const webhook = presentWebhook(record);
      bus.emit('webhook-changed', { userId, webhook });
      return { webhook, secret };
    },
    /** Throws `not-found` without a webhook. */
    async remove(by: RequestActor): Promise<void> {
      const userId = by.user._id.toHexString();
      const record = await find(userId);
      if (!record) throw new PublicError('not-found');
      await audit.record('webhook-deleted', by, userId, record.host);
      await webhooks.deleteOne({ _id: record._id });
      bus.emit('webhook-changed', { userId, webhook: null });
    },
    /** Delivers a test once. Throws `not-found` without a webhook. */
    async test(by: RequestActor): Promise<Webhook> {
      const userId = by.user._id.toHexString();
      const record = await find(userId);
      if (!record) throw new PublicError('not-found');
      await changes.count(userId);
      await audit.record('webhook-tested', by, userId, record.host);
      const at = new Date(clock.now()).toISOString();
      await deliver(userId, JSON.stringify({ type: 'test', at, text: 'A test of your webhook' }));
      const tested = await find(userId);
      if (!tested) throw new PublicError('not-found');
      return presentWebhook(tested);
    },
  };
}

/** Creates the function that posts a body to a user's webhook, signed, and stores its result. Resolves with it; null without a webhook. */
function createDelivery({
  webhooks,
  keys,
  bus,
  clock,
  post,
}: Pick<WebhookDeps, 'keys' | 'bus' | 'clock'> & { webhooks: Model<WebhookRecord>; post: Post }) {
  return async (userId: string, body: string): Promise<PostResult | null> => {
    const record = await webhooks.findById(new Types.ObjectId(userId)).lean<WebhookRecord>();
    if (!record) return null;
    const opened = await keys.open(userId, PURPOSE, record.sealed);
    const { url, secret } = targetSchema.parse(JSON.parse(opened.toString()));
    opened.fill(0);
    const result = await post(url, body, { [SIGNATURE_HEADER]: signatureOf(secret, clock.now(), body) });
    const set = { lastAt: new Date(clock.now()), problem: result.problem };
    const changed = await webhooks
      .findOneAndUpdate({ _id: record._id, sealed: record.sealed }, { $set: set }, { returnDocument: 'after' })
      .lean<WebhookRecord>();
    // A tab need not learn that yet another delivery went well.
    if (changed && (record.lastAt === null || record.problem !== result.problem)) {
      bus.emit('webhook-changed', { userId, webhook: presentWebhook(changed) });
    }
    return result;
  };
}

/** Returns the signature of a body at a time (epoch ms): `t=1770000000,v1=<hex>`. */
export function signatureOf(secret: string, at: number, body: string): string {
  const seconds = Math.floor(at / SECOND);
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;
}

/** Throws `invalid-input` for a text that is no address, an IP address that is not public, and a port of another protocol. */
function checkedUrl(text: string): URL {
  const wrong = (message: string) => new PublicError('invalid-input', { details: { url: [message] } });
  if (!URL.canParse(text)) throw wrong('is not an address');
  const url = new URL(text);
  const name = url.hostname.replace(/^\[|\]$/g, '');
  const isLiteral = /^[\d.]+$/.test(name) || name.includes(':');
  if (name === 'localhost' || (isLiteral && !isPublicAddress(name))) throw wrong('is not on the public internet');
  if (!isAllowedPort(url)) throw wrong('has a port that is not 80, 443 or above 1023');
  return url;
}

function presentWebhook({ host, createdAt, lastAt, problem }: WebhookRecord): Webhook {
  const last = lastAt && { at: lastAt.toISOString(), problem };
  return { host, createdAt: createdAt.toISOString(), last };
}
