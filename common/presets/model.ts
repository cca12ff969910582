import { z } from 'zod';
import { listChoiceSchema } from '../tokens/http.ts';
import { idSchema } from '../users/model.ts';

/** Presets of a user, at most. */
export const PRESETS_MAX = 100;
/** Shown when a user has that many. */
export const PRESETS_FULL = `You have reached the limit of ${PRESETS_MAX} presets. Delete one to add another.`;

/** A named choice of a list: filter, search and order. */
export const newPresetSchema = z.strictObject({
  name: z.string().trim().min(1, 'is missing').max(40, 'has at most 40 characters'),
  choice: listChoiceSchema,
});
export type NewPreset = z.infer<typeof newPresetSchema>;

/** A saved preset. Its choice is kept as written: a field that a later version dropped is named when the preset is opened. */
export const presetSchema = newPresetSchema.extend({
  id: idSchema,
  choice: z.record(z.string(), z.string()),
  /** ISO 8601. */
  createdAt: z.iso.datetime(),
});
export type Preset = z.infer<typeof presetSchema>;

/** Presets that every user has. */
export const readyPresets: readonly NewPreset[] = [
  {
    name: 'Fresh & clean',
    choice: { f: 'age:-600,holders:30-,checks:60-,developer:-5,topTen:-30,bundle:-10', copies: 'hide' },
  },
  { name: 'Final stretch', choice: { f: 'curve:60-', sort: 'marketCap' } },
  { name: 'Whales in', choice: { f: 'age:-3600,marketCapSol:100-,liquidity:20-,holders:100-', sort: 'volume' } },
];
