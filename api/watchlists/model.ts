import { type Connection, type Model, Schema, type Types } from 'mongoose';
import type { WatchlistName } from '../../common/watchlists/model.ts';

/** A token on a list. */
export interface ListedToken {
  address: string;
  addedAt: Date;
  /** Watched tokens: baseline price of price alerts (SOL), its time, and the time of the last alert. */
  price?: number;
  priceAt?: Date;
  alertedAt?: Date;
}

/**
 * The three lists of a user in one document (`_id` is the user), so that one atomic update moves a token between lists and
 * keeps their limit. Each list is in the order of addition, with at most 1,000 entries.
 */
export interface WatchlistsRecord extends Record<WatchlistName, ListedToken[]> {
  _id: Types.ObjectId;
  /** Number of changes; missing before the first one that was counted. */
  version?: number;
}

const list = {
  type: [
    {
      _id: false,
      address: { type: String, required: true },
      addedAt: { type: Date, required: true },
      price: Number,
      priceAt: Date,
      alertedAt: Date,
    },
  ],
};

const watchlistsSchema = new Schema<WatchlistsRecord>(
  { _id: { type: Schema.Types.ObjectId, required: true }, version: Number, watch: list, white: list, black: list },
  { versionKey: false, collection: 'watchlists' },
);

/** Needs no index: read and written by `_id` only. */
export function watchlistsModel(connection: Connection): Model<WatchlistsRecord> {
  return connection.model<WatchlistsRecord>('Watchlists', watchlistsSchema);
}
