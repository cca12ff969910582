import type { Connection } from 'mongoose';
import { NEW_TOKEN_ALERT_AGE } from '../../../common/alerts/model.ts';
import { tokenModels } from '../../tokens/model.ts';
import { presentToken } from '../../tokens/present.ts';
import type { TokenRecord } from '../../tokens/record.ts';
import type { AlertStore, EarlierAlert } from '../store.ts';
import type { Matcher } from './matcher.ts';
import type { WatchReferences } from './watch-baselines.ts';

/** Alerts that are read back at a start: as many as prices are watched over. */
const EARLIER_MAX = 1_000_000;
/** As long as alerts are kept, ms. */
const EARLIER_FOR = 30 * 86_400_000;

/** Between two of these the rest of the process gets its turn: each may be of interest to everybody. */
const AT_ONCE = 100;

interface LoadDeps {
  connection: Connection;
  store: Pick<AlertStore, 'earlier'>;
  matcher: Matcher;
  /** Epoch ms. */
  now: number;
}

/** The tokens that are young enough for an alert, and who was alerted of them. What was found and not stored is found again. */
export async function loadYoung({ connection, store, matcher, now }: LoadDeps): Promise<void> {
  const since = now - NEW_TOKEN_ALERT_AGE;
  const alerted = new Map<string, string[]>();
  for await (const { type, address, userId } of store.earlier({ since, limit: EARLIER_MAX })) {
    if (type === 'new_token') listOf(alerted, address).push(userId.toHexString());
  }
  // Index: listedAt, _id.
  const young = tokenModels(connection)
    .tokens.find({ listedAt: { $gte: since } })
    .sort({ listedAt: 1, _id: 1 })
    .lean<TokenRecord[]>()
    .cursor({ batchSize: AT_ONCE });
  for await (const record of young) matcher.token(presentToken(record), alerted.get(record._id) ?? []);
}

/** From which prices on moves are told: of what users watch, and of what they were alerted of. */
export async function loadReferences(
  deps: Omit<LoadDeps, 'connection'> & { watched: Pick<WatchReferences, 'all'>; signal: AbortSignal },
): Promise<void> {
  const { store, watched, matcher, now, signal } = deps;
  for await (const reference of watched.all()) {
    if (signal.aborted) return;
    matcher.watch(reference.userId, reference);
  }
  const told = new Map<string, string[]>();
  // Newest first, so that a price alert comes before the alert that it follows. What comes from now on is heard of.
  for await (const alert of store.earlier({ since: now - EARLIER_FOR, before: now, limit: EARLIER_MAX })) {
    if (signal.aborted) return;
    takeUp(alert, told, matcher);
  }
}

function takeUp(
  { type, address, userId, price, at }: EarlierAlert,
  told: Map<string, string[]>,
  matcher: Matcher,
): void {
  const user = userId.toHexString();
  if (type === 'price_alert') listOf(told, address).push(user);
  else if (!told.get(address)?.includes(user)) matcher.wasAlerted(user, { address, price, at: at.getTime() });
}

function listOf(lists: Map<string, string[]>, address: string): string[] {
  const known = lists.get(address);
  if (known) return known;
  const list: string[] = [];
  lists.set(address, list);
  return list;
}
