import type { AuditAction } from '../../../common/audit/model.ts';
import { PublicError } from '../../../common/errors.ts';
import type { TradingAccountChange } from '../../../common/trading/account.ts';
import type { LiveConsent, TradingAccountRecord } from './model.ts';
import { protectionsOf } from './money-hold.ts';
import { modeOf, modesOf, type Venue } from './present.ts';
import { presetsOf } from './presets.ts';

/** A change as it is stored: values by their path in the document, the actions to record before, and whether it needs the password. */
export interface StoredChange {
  fields: [path: string, value: unknown][];
  actions: { action: AuditAction; object: string | null }[];
  isRisky: boolean;
}

/**
 * Returns what a change of the user stores. Throws `trading-off` for a mode that the server does not offer, `confirm-needed`, and
 * `chain-unavailable` for real money before the node was checked. `now`: epoch ms.
 */
export function accountChange(
  change: TradingAccountChange,
  before: TradingAccountRecord,
  venue: Venue,
  now: number,
): StoredChange {
  const present = modeOf(venue, before);
  const parts = [
    modeChange(change, present, venue, now),
    // Also where real money is not traded at this moment: the limits stay for when it is again.
    guardedChange('limits', change.limits, before.limits, before.mode === 'live'),
    guardedChange('protections', change.protections, protectionsOf(before), before.mode === 'live'),
    botChange(change.bot, before.bot),
    { fields: changedFields('defaults', change.defaults, before.defaults), actions: [], isRisky: false },
    // Each trade is held to the limits, which need the password.
    { fields: changedFields('presets', change.presets, presetsOf(before)), actions: [], isRisky: false },
  ];
  return {
    fields: parts.flatMap(({ fields }) => fields),
    actions: parts.flatMap(({ actions }) => actions),
    isRisky: parts.some(({ isRisky }) => isRisky),
  };
}

/** The bot's maximum in the audit log. */
const BOT_MAXIMUM = 'maximum of a purchase by bot';

const unchanged: StoredChange = { fields: [], actions: [], isRisky: false };

function modeChange(
  { mode, confirm }: TradingAccountChange,
  present: ReturnType<typeof modeOf>,
  { server, liveCluster }: Venue,
  now: number,
): StoredChange {
  if (mode === undefined) return unchanged;
  if (!modesOf(server).includes(mode)) {
    throw new PublicError('trading-off', { text: 'This server does not offer this mode.' });
  }
  if (mode === present) return { ...unchanged, fields: [['mode', mode]] };
  if (mode !== 'live') {
    return { fields: [['mode', mode]], actions: [{ action: 'trading-mode-changed', object: mode }], isRisky: false };
  }
  if (confirm === undefined) throw new PublicError('confirm-needed');
  if (liveCluster === null) throw new PublicError('chain-unavailable');
  const live: LiveConsent = { at: new Date(now), cluster: liveCluster };
  const fields: StoredChange['fields'] = [
    ['mode', mode],
    ['live', live],
  ];
  return { fields, actions: [{ action: 'live-trading-on', object: mode }], isRisky: true };
}

/** Returns a change of limits or protections: with real money a stolen session could otherwise spend more of it. */
function guardedChange(
  path: 'limits' | 'protections',
  change: object | undefined,
  before: object,
  isLive: boolean,
): StoredChange {
  const fields = changedFields(path, change, before);
  if (fields.length === 0) return unchanged;
  const object = fields.map(([name, value]) => changeText(name.slice(path.length + 1), value)).join(', ');
  return { fields, actions: [{ action: `trading-${path}-changed`, object }], isRisky: isLive };
}

/** Returns a changed field in the audit log: a switch with its position, and a figure by its name. */
function changeText(name: string, value: unknown): string {
  return typeof value === 'boolean' ? `${name} ${value ? 'on' : 'off'}` : name;
}

function botChange(change: TradingAccountChange['bot'], before: TradingAccountRecord['bot']): StoredChange {
  const fields = changedFields('bot', change, before);
  if (fields.length === 0) return unchanged;
  const { live = before.live, maxLamports = before.maxLamports } = change ?? {};
  const actions: StoredChange['actions'] = [];
  if (live !== before.live) actions.push({ action: live ? 'bot-trading-on' : 'bot-trading-off', object: null });
  if (maxLamports !== before.maxLamports) actions.push({ action: 'trading-limits-changed', object: BOT_MAXIMUM });
  // With real money on, a stolen session could otherwise spend more of it from a chat.
  return { fields, actions, isRisky: live && (!before.live || maxLamports > before.maxLamports) };
}

function changedFields(path: string, change: object | undefined, before: object): [path: string, value: unknown][] {
  const known = new Map<string, unknown>(Object.entries(before));
  return Object.entries(change ?? {})
    .filter(([name, value]) => value !== undefined && JSON.stringify(known.get(name)) !== JSON.stringify(value))
    .map(([name, value]) => [`${path}.${name}`, value]);
}
