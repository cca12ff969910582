import type { Connection } from 'mongoose';
import { type NewPreset, PRESETS_FULL, PRESETS_MAX, type Preset } from '../../common/presets/model.ts';
import type { Clock } from '../../common/time.ts';
import type { EventSink } from '../events/bus.ts';
import { ensureIndexes } from '../platform/database.ts';
import { createUserDocuments, type UserDocument, type UserDocuments } from '../users/user-documents.ts';
import { type PresetFields, presetModel } from './model.ts';

/** Saved presets of lists, at most 100 per user, each name once. */
export type Presets = UserDocuments<PresetFields, Preset>;

/** Opens the presets of this database and creates their indexes. */
export async function openPresets(deps: { connection: Connection; bus: EventSink; clock: Clock }): Promise<Presets> {
  const { connection, bus, clock } = deps;
  const model = presetModel(connection);
  await ensureIndexes(model);
  return createUserDocuments<PresetFields, Preset>({
    model,
    max: PRESETS_MAX,
    fullText: PRESETS_FULL,
    present: presentPreset,
    onSaved: (userId, item) =>
      bus.emit('preset-changed', { userId, change: { subject: 'presets', op: 'saved', item } }),
    onDeleted: (userId, id) =>
      bus.emit('preset-changed', { userId, change: { subject: 'presets', op: 'deleted', item: { id } } }),
    clock,
  });
}

function presentPreset({ _id, name, choice, createdAt }: UserDocument & PresetFields): Preset {
  return { id: _id.toHexString(), name, choice, createdAt: createdAt.toISOString() };
}

/** Converts a sent preset for storage. */
export function presetFields({ name, choice }: NewPreset): PresetFields {
  return {
    name,
    choice: Object.fromEntries(
      Object.entries(choice).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
    ),
  };
}
