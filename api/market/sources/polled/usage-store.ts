import { type Connection, type Model, Schema } from 'mongoose';
import type { StoredUsage, UsageStore } from '../source.ts';

interface UsageRecord extends StoredUsage {
  /** The source's name. */
  _id: string;
}

const usageSchema = new Schema<UsageRecord>(
  {
    _id: { type: String, required: true },
    key: { type: String, required: true },
    month: { type: String, required: true },
    used: { type: Number, required: true },
    at: { type: Number, required: true },
  },
  { versionKey: false, collection: 'sourceUsage' },
);

/** Returns the store of a source's monthly usage, one document a source. */
export function createUsageStores(connection: Connection): (source: string) => UsageStore {
  const records: Model<UsageRecord> = connection.model<UsageRecord>('SourceUsage', usageSchema);
  return (source) => ({
    async load() {
      const record = await records.findById(source).lean<UsageRecord>();
      if (record === null) return null;
      const { key, month, used, at } = record;
      return { key, month, used, at };
    },
    async save(usage) {
      await records.updateOne({ _id: source }, { $set: usage }, { upsert: true });
    },
  });
}
