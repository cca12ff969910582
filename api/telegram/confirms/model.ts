import { type Connection, type Model, Schema, type Types } from 'mongoose';
import type { TradingMode } from '../../../common/trading/account.ts';
import type { TradeWarning } from '../../../common/trading/order.ts';

/** A trade that was offered with its result at that moment. */
interface OfferedTrade {
  address: string;
  /** Name for the user: symbol, or a part of the address. */
  label: string;
  slippageBps: number;
  /** The warnings in the offer. */
  accept: TradeWarning[];
}

/** Effect of a button. */
export type Choice =
  /** `leastTokens`: base units; the offer promised no less. */
  | ({ type: 'buy'; lamports: number; leastTokens: string } & OfferedTrade)
  /** `leastLamports`: the offer promised no less; null for one without a promise. */
  | ({ type: 'sell'; sharePercent: number; leastLamports: number | null } & OfferedTrade)
  | { type: 'sell-everything' }
  | { type: 'pause-exits' }
  | { type: 'keep-positions' }
  | { type: 'cancel' };

/** A question with buttons, in `telegramConfirms`. One of its choices works, once, in its chat, for its user. */
export interface ConfirmRecord {
  /** The nonce in the buttons. */
  _id: string;
  userId: Types.ObjectId;
  chatId: string;
  choices: Choice[];
  /** The mode that the offer named; null when it makes no difference. */
  mode: TradingMode | null;
  /** After it nothing new is done. */
  expiresAt: Date;
  /** The first press. */
  used: { choice: number; at: Date } | null;
}

/** Kept longer than valid, s: a press that Telegram repeats after a restart is still recognised. */
const KEPT_SECONDS = 3_600;

const confirmSchema = new Schema<ConfirmRecord>(
  {
    _id: { type: String, required: true },
    userId: { type: Schema.Types.ObjectId, required: true },
    chatId: { type: String, required: true },
    choices: { type: Schema.Types.Mixed, required: true },
    mode: { type: String, default: null },
    expiresAt: { type: Date, required: true },
    used: { type: Schema.Types.Mixed, default: null },
  },
  { versionKey: false, collection: 'telegramConfirms' },
);
confirmSchema.index({ expiresAt: 1 }, { expireAfterSeconds: KEPT_SECONDS });

export function confirmModel(connection: Connection): Model<ConfirmRecord> {
  return connection.model<ConfirmRecord>('TelegramConfirm', confirmSchema);
}
