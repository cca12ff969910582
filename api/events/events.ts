import type { AdminStats, SystemStatus } from '../../common/admin/model.ts';
import type { Alert } from '../../common/alerts/model.ts';
import type { Decision } from '../../common/decisions/model.ts';
import type { DetectionStats } from '../../common/diagnostics/model.ts';
import type { UserData } from '../../common/live/user-data.ts';
import type { Run } from '../../common/maintenance/model.ts';
import type { Settings } from '../../common/settings/model.ts';
import type { BotStatus, TelegramLink } from '../../common/telegram/model.ts';
import type { Token, Trade } from '../../common/tokens/model.ts';
import type { TradingAccount } from '../../common/trading/account.ts';
import type { Order } from '../../common/trading/order.ts';
import type { Position, PositionValue } from '../../common/trading/position.ts';
import type { TradingStatus } from '../../common/trading/status.ts';
import type { StopReport } from '../../common/trading/stop.ts';
import type { Transaction } from '../../common/transactions/model.ts';
import type { Wallet } from '../../common/wallet/model.ts';
import type { Webhook } from '../../common/webhook/model.ts';

/**
 * Every domain event with its payload. The subject that changed emits it once, after the write
 * is acknowledged; token events do not wait longer for it than the feed does.
 * Payloads are plain data, so that a bus between processes can carry the same events.
 */
export interface DomainEvents {
  /** Tokens that were created or changed within one tick. At most one event a tick. */
  'token-changed': {
    /** Time of the tick, epoch ms. */
    at: number;
    changes: readonly TokenChange[];
  };
  /** A token entered (`active`) or left a list. */
  'token-listed': { list: 'runner' | 'might-run'; token: Token; active: boolean };
  /** Tokens that were removed for good: by address, or all of them. */
  'token-removed': { addresses: readonly string[] } | { all: true };
  /** Trades of one token within one tick, oldest first. */
  trade: { address: string; trades: readonly Trade[] };

  'settings-changed': { userId: string; settings: Settings };
  'watchlist-changed': { userId: string; change: Extract<UserData, { subject: 'watchlists' }> };
  'preset-changed': { userId: string; change: Extract<UserData, { subject: 'presets' }> };
  /** An alert that a user has set up was saved, muted, deleted, or has fired for good. */
  'alert-rule-changed': { userId: string; id: string };
  'webhook-changed': { userId: string; webhook: Webhook | null };
  /** A rule or a strategy was saved or deleted. */
  'plan-changed': { userId: string; change: Extract<UserData, { subject: 'rules' | 'strategies' }> };
  'wallet-changed': { userId: string; wallet: Wallet };
  'telegram-link-changed': { userId: string; link: TelegramLink };
  'transaction-changed': { userId: string; transaction: Transaction };
  /** `key`: of the order, which names its plan (`buy:<plan>:<address>`). */
  'order-changed': { userId: string; key: string; order: Order };
  /** `stuckId`: of the time that its exit is stuck; null while it is not. */
  'position-changed': { userId: string; position: Position; stuckId: string | null };
  'position-values-changed': { userId: string; values: { id: string; value: PositionValue }[] };
  'trading-account-changed': { userId: string; account: TradingAccount };
  /** An answer of a plan was stored; only the newest ones, and only for users who listen. */
  'decision-made': { userId: string; decision: Decision };
  'stop-report-changed': { userId: string; report: StopReport };
  /** An administrator stopped the trading of all users, at this time, epoch ms. */
  'all-trading-stopped': { at: number };
  'alert-created': { userId: string; alert: Alert };
  'user-created': { userId: string };
  /** An administrator sold or abandoned the open positions of a user, whose wallet they replace. */
  'positions-given-up': { userId: string };
  /** A login or registration has stored its session. */
  'signed-in': { userId: string };
  /** A user switched two-step login on or off. */
  'account-changed': { userId: string };
  /** A stranger sent the right password with a wrong code (epoch ms). */
  'password-exposed': { userId: string; at: number };
  /** Administrator rights of a user were granted or withdrawn. */
  'rights-changed': { userId: string };
  /** A session was ended by logout, by a change of password or of rights. */
  'session-ended': { sessionId: string };

  /** A long job of an administrator started, progressed or ended. */
  'run-changed': Run;
  /** `audience`: `everybody` gets the status without its details, `admins` with them. */
  'bot-status-changed': { audience: 'everybody' | 'admins'; status: BotStatus };
  'admin-stats-changed': AdminStats;
  'trading-status-changed': TradingStatus;
  'system-status-changed': SystemStatus;
  'detection-stats-changed': DetectionStats;
}

export type DomainEventName = keyof DomainEvents;

/**
 * Events that concern processes other than the one that emits them. The others are handled where they are emitted: those of the
 * market, of orders and of positions within the worker; the rest lead to live events only, which reach every client from anywhere.
 */
const SHARED: ReadonlySet<DomainEventName> = new Set([
  'token-removed',
  'settings-changed',
  'watchlist-changed',
  'preset-changed',
  'plan-changed',
  'wallet-changed',
  'telegram-link-changed',
  'trading-account-changed',
  'all-trading-stopped',
  'positions-given-up',
  'user-created',
  'signed-in',
  'account-changed',
  'password-exposed',
  'rights-changed',
  'session-ended',
]);

/** Returns whether a bus between processes carries the event. */
export const isShared = (name: DomainEventName): boolean => SHARED.has(name);

/** The state of a token after a tick. `isNew`: first published with this tick. The token is shared: read it, do not change or keep it. */
export interface TokenChange {
  readonly token: Token;
  readonly isNew: boolean;
  /** True while every trade since the creation was observed. */
  readonly isComplete: boolean;
}
