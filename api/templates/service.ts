import { type Connection, Types } from 'mongoose';
import { PublicError } from '../../common/errors.ts';
import { TEMPLATES_MAX, type Template, type TemplateInput } from '../../common/templates/model.ts';
import { renderTemplate } from '../../common/templates/render.ts';
import { tokenVariables } from '../../common/templates/variables.ts';
import type { Clock } from '../../common/time.ts';
import type { Token } from '../../common/tokens/model.ts';
import type { AdminActions } from '../audit/admin-actions.ts';
import type { Actor } from '../audit/service.ts';
import { ensureIndexes, isDuplicateKey } from '../platform/database.ts';
import { createTurns } from '../platform/keyed-mutex.ts';
import { createDefaults, defaultsAmong } from './defaults.ts';
import { type TemplateModels, type TemplateRecord, type TypeRecord, templateModels } from './model.ts';
import { presentTemplate } from './present.ts';
import { type Seed, seeds } from './seeds.ts';

/** The texts of messages to Telegram, by type. Of each type that has templates exactly one is the default. */
export interface Templates {
  /** By type, then name. */
  list(): Promise<Template[]>;
  /** Throws `limit-reached`. */
  create(input: TemplateInput, by: Actor): Promise<Template>;
  /** Throws `not-found`, and `default-needed` when the default of its type is to be none any more. */
  change(id: string, input: TemplateInput, by: Actor): Promise<Template>;
  /** Throws `not-found`. */
  remove(id: string, by: Actor): Promise<void>;
  /** The template that messages of this type are made by; null while the type has none. */
  defaultOf(type: string): Promise<{ id: string; name: string; template: string } | null>;
  /** The text as it would be sent for this token now, and the names in it that are no variable. */
  preview(template: string, token: Token): { text: string; address: string; unknown: string[] };
}

export interface TemplateDeps {
  connection: Connection;
  adminActions: AdminActions;
  clock: Clock;
}

/** The templates of this database, with their indexes and the seeds of a first start made. */
export async function openTemplates(deps: TemplateDeps): Promise<Templates> {
  const models = templateModels(deps.connection);
  await ensureIndexes(models.templates);
  await ensureIndexes(models.types);
  await sow(models, deps.clock);
  return createTemplates({ ...deps, models });
}

const seededTypes: ReadonlySet<string> = new Set(seeds.map(({ type }) => type));

/** Brings the seeds of those types that were never there. */
async function sow(models: TemplateModels, clock: Clock): Promise<void> {
  const known = new Set((await models.types.find().lean<TypeRecord[]>()).map(({ _id }) => _id));
  const missing = seeds.filter(({ type }) => !known.has(type));
  for (const seed of missing) await insert(models, fieldsOf(seed), clock, new Types.ObjectId(seed.id));
  // Last, and only where none is there: these documents say that the seeds are sown.
  for (const { type, id } of missing.filter(({ isDefault }) => isDefault)) {
    const first = { $setOnInsert: { templateId: new Types.ObjectId(id) } };
    await models.types.updateOne({ _id: type }, first, { upsert: true }).catch(ignoreDuplicate);
  }
}

type Fields = Pick<TemplateRecord, 'name' | 'type' | 'template'>;

function fieldsOf({ name, type, template }: Seed | TemplateInput): Fields {
  return { name, type, template };
}

/** Stores a template in a free place; one of the same id that is there already stays. Throws `limit-reached`. */
async function insert(
  models: TemplateModels,
  fields: Fields,
  clock: Clock,
  _id: Types.ObjectId,
): Promise<TemplateRecord> {
  const now = new Date(clock.now());
  for (;;) {
    const record = { ...fields, _id, place: await freePlace(models), createdAt: now, updatedAt: now };
    try {
      await models.templates.create(record);
      return record;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      const there = await models.templates.findById(_id).lean<TemplateRecord>();
      if (there) return there;
      // Another process took the place. That can happen only as often as there are places.
    }
  }
}

/** Index { place: 1 }, from which alone it is answered. */
async function freePlace({ templates }: TemplateModels): Promise<number> {
  const taken = await templates.find({}, { _id: 0, place: 1 }).sort({ place: 1 }).lean<{ place: number }[]>();
  const gap = taken.findIndex(({ place }, index) => place !== index);
  const free = gap === -1 ? taken.length : gap;
  if (free >= TEMPLATES_MAX) throw new PublicError('limit-reached');
  return free;
}

function ignoreDuplicate(error: unknown): void {
  if (!isDuplicateKey(error)) throw error;
}

export function createTemplates(deps: TemplateDeps & { models: TemplateModels }): Templates {
  const { models, adminActions, clock } = deps;
  const { templates, types } = models;
  const defaults = createDefaults({ ...models, keptTypes: seededTypes });
  // Within this process one after the other, so that each answer says what has come of it.
  const turns = createTurns();
  const inTurn = <Result>(work: () => Promise<Result>) => turns('templates', work);

  async function known(id: string): Promise<TemplateRecord> {
    const record = await templates.findById(id).lean<TemplateRecord>();
    if (!record) throw new PublicError('not-found');
    return record;
  }

  async function isDefault({ type, _id }: TemplateRecord): Promise<boolean> {
    return (await defaults.of(type))?._id.equals(_id) ?? false;
  }

  async function answered(record: TemplateRecord): Promise<Template> {
    return presentTemplate(record, await isDefault(record));
  }

  async function change(id: string, input: TemplateInput, by: Actor): Promise<Template> {
    const before = await known(id);
    if (!input.isDefault && input.type === before.type && (await isDefault(before))) {
      throw new PublicError('default-needed');
    }
    await adminActions.record('template-changed', by, null, objectOf(before));
    // The template may be older than those it comes to.
    await defaults.settle(input.type);
    const set = { ...fieldsOf(input), updatedAt: new Date(clock.now()) };
    const changed = await templates
      .findByIdAndUpdate(before._id, { $set: set }, { returnDocument: 'after' })
      .lean<TemplateRecord>();
    if (!changed) throw new PublicError('not-found');
    if (input.isDefault) await defaults.choose(input.type, changed._id);
    else await defaults.settle(input.type);
    if (before.type !== input.type) await defaults.settle(before.type);
    return answered(changed);
  }

  return {
    async list() {
      // Index { type: 1, name: 1, _id: 1 }.
      const records = await templates.find().sort({ type: 1, name: 1, _id: 1 }).lean<TemplateRecord[]>();
      const chosen = defaultsAmong(records, await types.find().lean<TypeRecord[]>());
      return records.map((record) => presentTemplate(record, chosen.has(record)));
    },
    create: (input, by) =>
      inTurn(async () => {
        await freePlace(models);
        await adminActions.record('template-created', by, null, objectOf(input));
        await defaults.settle(input.type);
        const record = await insert(models, fieldsOf(input), clock, new Types.ObjectId());
        if (input.isDefault) await defaults.choose(input.type, record._id);
        else await defaults.settle(input.type);
        return answered(record);
      }),
    change: (id, input, by) => inTurn(() => change(id, input, by)),
    remove: (id, by) =>
      inTurn(async () => {
        const record = await known(id);
        await adminActions.record('template-deleted', by, null, objectOf(record));
        const { deletedCount } = await templates.deleteOne({ _id: record._id });
        await defaults.settle(record.type);
        if (deletedCount === 0) throw new PublicError('not-found');
      }),
    async defaultOf(type) {
      const record = await defaults.of(type);
      return record && { id: record._id.toHexString(), name: record.name, template: record.template };
    },
    preview(template, token) {
      const { text, unknown } = renderTemplate(template, tokenVariables(token, clock.now()));
      return { text, address: token.address, unknown };
    },
  };
}

/** What the audit calls a template. */
function objectOf({ name, type }: Fields): string {
  return `${name} (${type})`;
}
