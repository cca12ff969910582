import { z } from 'zod';

/** `live` receives events, `connecting` is on its way to, `ended` has nothing more to say (a replay at its end), `down` failed. */
export const sourceStateSchema = z.enum(['connecting', 'live', 'ended', 'down', 'stopped']);
export type SourceState = z.infer<typeof sourceStateSchema>;
