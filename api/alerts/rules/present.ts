import type { AlertRule } from '../../../common/alerts/rules/model.ts';
import { listNameOf } from '../../../common/live/lists.ts';
import { readyPresets } from '../../../common/presets/model.ts';
import { parseRanges } from '../../../common/tokens/filters.ts';
import { listChoiceSchema } from '../../../common/tokens/http.ts';
import type { PresetFields } from '../../presets/model.ts';
import type { UserDocument } from '../../users/user-documents.ts';
import type { AlertRuleRecord, PresetRuleRecord } from './model.ts';

/** A saved preset of a user. */
export type SavedPreset = UserDocument & PresetFields;

/** The filter that an alert by preset watches, or why it does nothing, for the user. */
export type Watched = { name: string } & ({ list: string; since: number } | { problem: string });

/** Counts and mute of an alert in the present hour. */
interface HourCounts {
  received: number;
  heldBack: number;
  dropped: number;
}

/** Returns what an alert by preset watches. `presets`: the saved ones of its user. `since`: epoch ms. */
export function watchedBy({ preset, presetName, since }: PresetRuleRecord, presets: readonly SavedPreset[]): Watched {
  const ready = readyPresets.find(({ name }) => name === preset);
  if (ready) return { name: ready.name, list: listNameOf(ready.choice), since: since.getTime() };
  const saved = presets.find(({ _id }) => _id.toHexString() === preset);
  if (!saved) return { name: presetName, problem: 'This preset was deleted. Choose another one.' };
  const { name } = saved;
  const choice = listChoiceSchema.safeParse(saved.choice);
  if (!choice.success) {
    const parts = unknownParts(saved.choice).join(', ');
    return {
      name,
      problem: `This preset names what no longer exists: ${parts}. Save it again, or choose another one.`,
    };
  }
  const list = listNameOf(choice.data);
  if (list === '') return { name, problem: 'This preset has no limits: every token would match. Choose another one.' };
  return { name, list, since: Math.max(since.getTime(), saved.updatedAt.getTime()) };
}

/** Returns the parts of a stored choice that mean nothing in this version. */
function unknownParts(choice: Record<string, string>): string[] {
  const fields: Record<string, { safeParse(value: unknown): { success: boolean } } | undefined> =
    listChoiceSchema.shape;
  return Object.entries(choice).flatMap(([key, value]) => {
    if (key === 'f') return parseRanges(value).ignored;
    return fields[key]?.safeParse(value).success ? [] : [key];
  });
}

/** Why a filter is not watched: too many different ones of its user, or of all. */
const refusals = {
  user: 'You watch as many different presets as one user can. Delete another alert.',
  server: 'This server watches as many different presets as it can. Choose one of another alert.',
};

/** Presents an alert. `watched` is of an alert by preset; `refusedBy`: null while its filter is watched. */
export function presentAlertRule(
  rule: AlertRuleRecord,
  {
    watched,
    refusedBy,
    counts,
    now,
  }: { watched: Watched | null; refusedBy: keyof typeof refusals | null; counts: HourCounts; now: number },
): AlertRule {
  const { _id, channels, createdAt } = rule;
  const common = { id: _id.toHexString(), channels, createdAt: createdAt.toISOString() };
  if (rule.kind === 'target') {
    const { kind, address, symbol, target, direction } = rule;
    return { ...common, kind, address, symbol, target, direction };
  }
  const { kind, preset, presetName, perHour, mutedUntil } = rule;
  return {
    ...{ ...common, kind, preset, perHour, ...counts },
    name: watched?.name ?? presetName,
    mutedUntil: mutedUntil !== null && mutedUntil.getTime() > now ? mutedUntil.toISOString() : null,
    problem: watched !== null && 'problem' in watched ? watched.problem : refusedBy && refusals[refusedBy],
  };
}
