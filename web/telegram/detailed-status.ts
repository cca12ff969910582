import type { BotStatus } from '../../common/telegram/model.ts';

/** The status as administrators get it. */
export type DetailedStatus = Exclude<BotStatus, { updates: null }>;
