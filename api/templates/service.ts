import { type Connection, Types } from 'mongoose';
import { PublicError } from '../../common/errors.ts';
import { TEMPLATES_MAX, type Template, type TemplateInput } from '../../common/templates/model.ts';
import { renderTemplate } from '../../common/templates/render.ts';
import { exampleValues, tokenVariables } from '../../common/templates/variables.ts';
import type { Clock } from '../../common/time.ts';
import type { Token } from '../../common/tokens/model.ts';
import type { AdminActions } from '../audit/admin-actions.ts';
import type { Actor } from '../audit/service.ts';
import { duplicateIndexes, ensureIndexes, freePlace, unlessDuplicate } from '../platform/database.ts';
import { createKeyedMutex } from '../platform/keyed-mutex.ts';
import { createDefaults } from './defaults.ts';
import { type TemplateModels, type TemplateRecord, type TypeRecord, templateModels } from './model.ts';
import { type Seed, seeds } from './seeds.ts';

/** The texts of messages to Telegram by type. A type with templates has exactly one default. */
export type Templates = ReturnType<typeof createTemplates>;

export interface TemplateDeps {
  connection: Connection;
  adminActions: Pick<AdminActions, 'record'>;
  clock: Clock;
}

/** Opens the templates of this database: creates their indexes, and the seeds at the first start. */
export async function openTemplates(deps: TemplateDeps): Promise<Templates> {
  const models = templateModels(deps.connection);
  await ensureIndexes(models.templates);
  await ensureIndexes(models.types);
  await plantSeeds(models, deps.clock);
  return createTemplates({ ...deps, models });
}

/** Creates the seeds of the types that were never seeded. */
async function plantSeeds(models: TemplateModels, clock: Clock): Promise<void> {
  const seeded = new Set((await models.types.find().lean<TypeRecord[]>()).map(({ _id }) => _id));
  const missing = seeds.filter(({ type }) => !seeded.has(type));
  const defaults: TemplateRecord[] = [];
  for (const seed of missing) {
    const planted = await insert(models, fieldsOf(seed), clock, new Types.ObjectId(seed.id));
    if (seed.isDefault) defaults.push(planted);
  }
  // Last: the document of a type marks its seeds as planted, so a crash before it plants the missing ones again.
  const marks = defaults.map(({ _id, type, typeSince }) => ({
    updateOne: { filter: { _id: type }, update: { $setOnInsert: { templateId: _id, typeSince } }, upsert: true },
  }));
  // A duplicate: another process planted the same seeds.
  await models.types.bulkWrite(marks, { ordered: false }).catch(duplicateIndexes);
}

type Fields = Pick<TemplateRecord, 'name' | 'type' | 'template'>;

function fieldsOf({ name, type, template }: Seed | TemplateInput): Fields {
  return { name, type, template };
}

/** Stores a template at a free place; an existing one of the same id stays as it is. Throws `limit-reached`. */
async function insert(
  models: TemplateModels,
  fields: Fields,
  clock: Clock,
  _id: Types.ObjectId,
): Promise<TemplateRecord> {
  const now = new Date(clock.now());
  for (;;) {
    // Index { place: 1 }; reads no document.
    const place = await freePlace(models.templates, {}, TEMPLATES_MAX);
    const record: TemplateRecord = { ...fields, _id, place, typeSince: now, createdAt: now, updatedAt: now };
    if (await unlessDuplicate(() => models.templates.create(record))) return record;
    const existing = await models.templates.findById(_id).lean<TemplateRecord>();
    if (existing) return existing;
    // Another process took the place, which can happen once for every place at most.
  }
}

export function createTemplates(deps: TemplateDeps & { models: TemplateModels }) {
  const { models, adminActions, clock } = deps;
  const { templates } = models;
  const defaults = createDefaults(models);
  // One change at a time within this process, so that each response contains its own result.
  const inOrder = createKeyedMutex();
  const exclusively = <Result>(work: () => Promise<Result>) => inOrder('templates', work);

  async function findOrThrow(id: string): Promise<TemplateRecord> {
    const record = await templates.findById(id).lean<TemplateRecord>();
    if (!record) throw new PublicError('not-found');
    return record;
  }

  async function isDefault({ type, _id }: TemplateRecord): Promise<boolean> {
    return (await defaults.of(type))?._id.equals(_id) ?? false;
  }

  async function change(id: string, input: TemplateInput, by: Actor): Promise<Template> {
    const before = await findOrThrow(id);
    if (!input.isDefault && input.type === before.type && (await isDefault(before))) {
      throw new PublicError('default-needed');
    }
    await adminActions.record('template-changed', by, null, auditName(before));
    const changed = await update(models, before._id, fieldsOf(input), new Date(clock.now()));
    if (!changed) throw new PublicError('not-found');
    if (input.isDefault) await defaults.choose(changed);
    return presentTemplate(changed, await isDefault(changed));
  }

  return {
    /** Returns all templates, by type, then name. */
    async list(): Promise<Template[]> {
      // Index { type: 1, name: 1, _id: 1 }.
      const records = await templates.find().sort({ type: 1, name: 1, _id: 1 }).lean<TemplateRecord[]>();
      const chosen = await defaults.among(records);
      return records.map((record) => presentTemplate(record, chosen.has(record)));
    },
    /** Throws `limit-reached`. */
    create: (input: TemplateInput, by: Actor): Promise<Template> =>
      exclusively(async () => {
        await freePlace(templates, {}, TEMPLATES_MAX);
        await adminActions.record('template-created', by, null, auditName(input));
        const record = await insert(models, fieldsOf(input), clock, new Types.ObjectId());
        if (input.isDefault) await defaults.choose(record);
        return presentTemplate(record, await isDefault(record));
      }),
    /** Throws `not-found`, and `default-needed` when the default of a type would no longer be one. */
    change: (id: string, input: TemplateInput, by: Actor): Promise<Template> =>
      exclusively(() => change(id, input, by)),
    /** Throws `not-found`. */
    remove: (id: string, by: Actor): Promise<void> =>
      exclusively(async () => {
        const record = await findOrThrow(id);
        await adminActions.record('template-deleted', by, null, auditName(record));
        const { deletedCount } = await templates.deleteOne({ _id: record._id });
        if (deletedCount === 0) throw new PublicError('not-found');
      }),
    /** Resolves with the default template of the type; null while the type has no template. */
    async defaultOf(type: string): Promise<{ id: string; name: string; template: string } | null> {
      const record = await defaults.of(type);
      return record && { id: record._id.toHexString(), name: record.name, template: record.template };
    },
    /** Renders a template for this token as of now. `unknown`: the placeholders that are no variable. */
    preview(template: string, token: Token): { text: string; address: string; unknown: string[] } {
      const { text, unknown } = renderTemplate(template, { ...exampleValues, ...tokenVariables(token, clock.now()) });
      return { text, address: token.address, unknown };
    },
  };
}

/** Updates a template in one step; with another type it joins that type now. Resolves with null when it was deleted. */
function update({ templates }: TemplateModels, _id: Types.ObjectId, fields: Fields, now: Date) {
  const literal = Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, { $literal: value }]));
  const typeSince = { $cond: [{ $eq: ['$type', { $literal: fields.type }] }, '$typeSince', now] };
  return templates
    .findByIdAndUpdate(_id, [{ $set: { ...literal, typeSince, updatedAt: now } }], {
      returnDocument: 'after',
      updatePipeline: true,
    })
    .lean<TemplateRecord>()
    .exec();
}

/** Name of a template in the audit. */
function auditName({ name, type }: Fields): string {
  return `${name} (${type})`;
}

function presentTemplate({ _id, name, type, template, createdAt, updatedAt }: TemplateRecord, isDefault: boolean) {
  const times = { createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
  return { id: _id.toHexString(), name, type, template, isDefault, ...times };
}
