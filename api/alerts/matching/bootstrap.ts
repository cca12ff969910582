import type { Connection } from 'mongoose';
import { NEW_TOKEN_ALERT_AGE } from '../../../common/alerts/model.ts';
import { tokenModels } from '../../tokens/model.ts';
import { presentToken } from '../../tokens/present.ts';
import type { TokenRecord } from '../../tokens/record.ts';
import { RETENTION } from '../model.ts';
import type { AlertStore, EarlierAlert } from '../store.ts';
import type { Matcher } from './matcher.ts';
import { MAX_BASELINES } from './price-baselines.ts';
import type { WatchBaselines } from './watch-baselines.ts';

/** Alerts read back at a start: no more can become baselines. */
const EARLIER_MAX = MAX_BASELINES;
/** Tokens of one batch. Each may concern every user, so the process needs pauses in between. */
const BATCH = 100;

interface BootstrapDeps {
  connection: Connection;
  store: Pick<AlertStore, 'earlier'>;
  matcher: Matcher;
  /** Epoch ms. */
  now: number;
}

/** Adds the tokens that are still young and the users alerted about them. Matches found but not stored before a stop are found again. */
export async function loadYoungTokens(
  deps: BootstrapDeps & { /** Resolves when another match can be taken. */ room(): Promise<void> },
): Promise<void> {
  const { connection, store, matcher, now, room } = deps;
  const since = now - NEW_TOKEN_ALERT_AGE;
  const alerted = new Map<string, Set<string>>();
  for await (const { type, address, userId } of store.earlier({ since, limit: EARLIER_MAX })) {
    if (type === 'new_token') usersOf(alerted, address).add(userId.toHexString());
  }
  // Index: listedAt, _id.
  const young = tokenModels(connection)
    .tokens.find({ listedAt: { $gte: since } })
    .sort({ listedAt: 1, _id: 1 })
    .lean<TokenRecord[]>()
    .cursor({ batchSize: BATCH });
  for await (const record of young) {
    await room();
    matcher.addStored(presentToken(record), usersOf(alerted, record._id));
  }
}

/** Adds the baselines of price alerts: of watched tokens, and of earlier alerts about new tokens. */
export async function loadBaselines(
  deps: Omit<BootstrapDeps, 'connection'> & { watched: Pick<WatchBaselines, 'all'>; signal: AbortSignal },
): Promise<void> {
  const { store, watched, matcher, now, signal } = deps;
  for await (const baseline of watched.all()) {
    if (signal.aborted) return;
    matcher.watch(baseline.userId, baseline);
  }
  const moved = new Map<string, Set<string>>();
  // Newest first, so that a price alert precedes the alert it follows. Alerts from now on add their baselines themselves.
  for await (const alert of store.earlier({ since: now - RETENTION, before: now, limit: EARLIER_MAX })) {
    if (signal.aborted) return;
    addEarlier(alert, moved, matcher);
  }
}

function addEarlier(
  { type, address, userId, price, at }: EarlierAlert,
  moved: Map<string, Set<string>>,
  matcher: Matcher,
): void {
  const user = userId.toHexString();
  if (type === 'price_alert') usersOf(moved, address).add(user);
  else if (!moved.get(address)?.has(user)) matcher.alerted(user, { address, price, since: at.getTime() });
}

function usersOf(byAddress: Map<string, Set<string>>, address: string): Set<string> {
  const users = byAddress.get(address) ?? new Set<string>();
  byAddress.set(address, users);
  return users;
}
