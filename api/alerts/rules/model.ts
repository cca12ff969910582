import { type Connection, type Model, Schema } from 'mongoose';
import type { AlertChannels, AlertTarget } from '../../../common/alerts/rules/model.ts';
import { type UserDocument, userDocumentSchema } from '../../users/user-documents.ts';

interface PresetFields {
  kind: 'preset';
  /** Id of a saved preset, hexadecimal, or name of a ready one. */
  preset: string;
  /** Name of the preset when the alert was set up. */
  presetName: string;
  perHour: number;
  mutedUntil: Date | null;
  /** Tokens that match from then on cause alerts. */
  since: Date;
}

interface TargetFields {
  kind: 'target';
  address: string;
  symbol: string | null;
  target: AlertTarget;
  direction: 'up' | 'down';
}

/** An alert that a user has set up, as stored in `alertRules` beside the fields of every user document. */
export type AlertRuleFields = (PresetFields | TargetFields) & { channels: AlertChannels };
export type AlertRuleRecord = UserDocument & AlertRuleFields;
export type PresetRuleRecord = Extract<AlertRuleRecord, { kind: 'preset' }>;

const alertRuleSchema = userDocumentSchema('alertRules', {
  kind: { type: String, required: true, enum: ['preset', 'target'] },
  preset: String,
  presetName: String,
  perHour: Number,
  mutedUntil: Date,
  since: Date,
  address: String,
  symbol: String,
  target: Schema.Types.Mixed,
  direction: String,
  channels: { type: Schema.Types.Mixed, required: true },
});

export function alertRuleModel(connection: Connection): Model<UserDocument> {
  return connection.model<UserDocument>('AlertRule', alertRuleSchema);
}
