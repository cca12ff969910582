import { isDuplicateKey } from '../platform/database.ts';
import type { TemplateModels, TemplateRecord, TypeRecord } from './model.ts';

/**
 * The default template of each type. It follows from the stored data: the chosen template, or the one that has been in the
 * type longest if none is chosen or the chosen one was deleted or has left the type. So a type with templates has exactly
 * one default at any moment, without a lock, however many processes change templates.
 */
export function createDefaults({ templates, types }: TemplateModels) {
  return {
    /** Resolves with null while the type has no template. */
    async of(type: string): Promise<TemplateRecord | null> {
      const chosen = await types.findById(type).lean<TypeRecord>();
      const named = chosen?.templateId ? await templates.findById(chosen.templateId).lean<TemplateRecord>() : null;
      if (named && isChosen(named, chosen)) return named;
      // Index { type: 1, typeSince: 1, _id: 1 }.
      return templates.findOne({ type }).sort({ typeSince: 1, _id: 1 }).lean<TemplateRecord>();
    },
    /** Resolves with the defaults among these templates, which must be all there are. */
    async among(records: readonly TemplateRecord[]): Promise<Set<TemplateRecord>> {
      const chosen = new Map((await types.find().lean<TypeRecord[]>()).map((record) => [record._id, record]));
      const defaults = new Map<string, TemplateRecord>();
      for (const record of records) {
        const before = defaults.get(record.type);
        const choice = chosen.get(record.type) ?? null;
        if (!before || isChosen(record, choice) || (!isChosen(before, choice) && isLongerInType(record, before)))
          defaults.set(record.type, record);
      }
      return new Set(defaults.values());
    },
    /** Chooses the template for its type, in place of the one chosen before, by one atomic update. */
    async choose({ _id: templateId, type, typeSince }: TemplateRecord): Promise<void> {
      const put = () => types.updateOne({ _id: type }, { $set: { templateId, typeSince } }, { upsert: true });
      await put().catch((error: unknown) => {
        // Two first choices at once both insert; the slower one then finds a document to update.
        if (isDuplicateKey(error)) return put();
        throw error;
      });
    },
  };
}

/** A template that left its type and came back is no longer the chosen one: it joined the type at another time. */
function isChosen({ _id, type, typeSince }: TemplateRecord, choice: TypeRecord | null): boolean {
  if (choice?._id !== type || !choice.templateId?.equals(_id)) return false;
  return choice.typeSince?.getTime() === typeSince.getTime();
}

function isLongerInType(one: TemplateRecord, other: TemplateRecord): boolean {
  const apart = one.typeSince.getTime() - other.typeSince.getTime();
  return apart === 0 ? String(one._id) < String(other._id) : apart < 0;
}
