import { type Connection, type Model, Schema, type Types } from 'mongoose';
import type { WatchlistName } from '../../common/watchlists/model.ts';

/** A token on a list. */
export interface ListedToken {
  address: string;
  addedAt: Date;
  /** Watched tokens: what price alerts count from, SOL, since when, and when the user was alerted (alerts/watchReferences.ts). */
  price?: number;
  priceAt?: Date;
  alertedAt?: Date;
}

/**
 * The three lists of a user as `watchlists` keeps them, in one document (`_id` is the user): so that a token goes from one
 * list to another, and a list's bound holds, by one atomic update. Each list in the order of addition; at most 1,000 entries.
 */
export interface WatchlistsRecord extends Record<WatchlistName, ListedToken[]> {
  _id: Types.ObjectId;
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
  { _id: { type: Schema.Types.ObjectId, required: true }, watch: list, white: list, black: list },
  { versionKey: false, collection: 'watchlists' },
);

/** Read and written by `_id` only, so it needs no index. */
export function watchlistsModel(connection: Connection): Model<WatchlistsRecord> {
  return connection.model<WatchlistsRecord>('Watchlists', watchlistsSchema);
}
