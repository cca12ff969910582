import { isDuplicateKey } from '../platform/database.ts';
import type { TemplateModels, TemplateRecord, TypeRecord } from './model.ts';

/** Types keep their document although they have no template left: it says that their seeds are not to come again. */
export interface DefaultsDeps extends TemplateModels {
  keptTypes: ReadonlySet<string>;
}

/** Which template of a type is its default. However many change it at once, there is exactly one while there are templates. */
export interface Defaults {
  /** Null while the type has no template. */
  of(type: string): Promise<TemplateRecord | null>;
  /** Makes this the default in place of the one before, in one step. */
  choose(type: string, id: TemplateRecord['_id']): Promise<void>;
  /** Keeps what `of` answers, so that templates which come into the type later can't take its place by their age. */
  settle(type: string): Promise<void>;
}

export function createDefaults({ templates, types, keptTypes }: DefaultsDeps): Defaults {
  async function read(type: string): Promise<{ kept: TypeRecord | null; chosen: TemplateRecord | null }> {
    const kept = await types.findById(type).lean<TypeRecord>();
    const named = kept?.templateId && (await templates.findOne({ _id: kept.templateId, type }).lean<TemplateRecord>());
    // Index { type: 1, createdAt: 1, _id: 1 }.
    const oldest = () => templates.findOne({ type }).sort({ createdAt: 1, _id: 1 }).lean<TemplateRecord>();
    return { kept, chosen: named || (await oldest()) };
  }

  return {
    of: async (type) => (await read(type)).chosen,
    async choose(type, templateId) {
      const put = () => types.updateOne({ _id: type }, { $set: { templateId } }, { upsert: true });
      await put().catch((error: unknown) => {
        // Two at once may both want to insert; the slower one then finds what to update.
        if (isDuplicateKey(error)) return put();
        throw error;
      });
    },
    async settle(type) {
      const { kept, chosen } = await read(type);
      const templateId = chosen?._id ?? null;
      if (kept && templateId === null && !keptTypes.has(type)) {
        await types.deleteOne({ _id: type, templateId: kept.templateId });
      } else if (kept && String(kept.templateId) !== String(templateId)) {
        // Only what was read is replaced: a default that was chosen in between stays.
        await types.updateOne({ _id: type, templateId: kept.templateId }, { $set: { templateId } });
      } else if (!kept && templateId !== null) {
        await types.updateOne({ _id: type }, { $setOnInsert: { templateId } }, { upsert: true }).catch(ignoreDuplicate);
      }
    },
  };
}

/** Somebody else has kept the default in the meantime. */
function ignoreDuplicate(error: unknown): void {
  if (!isDuplicateKey(error)) throw error;
}

/** The same as `Defaults.of` for all types at once, from what was read together. */
export function defaultsAmong(records: readonly TemplateRecord[], types: readonly TypeRecord[]): Set<TemplateRecord> {
  const chosen = new Map(types.map(({ _id, templateId }) => [_id, String(templateId)]));
  const defaults = new Map<string, TemplateRecord>();
  for (const record of records) {
    const before = defaults.get(record.type);
    const isNamed = chosen.get(record.type) === String(record._id);
    const namedBefore = before !== undefined && chosen.get(record.type) === String(before._id);
    if (isNamed || !before || (!namedBefore && isOlder(record, before))) defaults.set(record.type, record);
  }
  return new Set(defaults.values());
}

function isOlder(one: TemplateRecord, other: TemplateRecord): boolean {
  const apart = one.createdAt.getTime() - other.createdAt.getTime();
  return apart === 0 ? String(one._id) < String(other._id) : apart < 0;
}
