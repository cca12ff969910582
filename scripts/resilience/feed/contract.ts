import { z } from 'zod';
import { feedCursorSchema } from '../../../common/live/protocol.ts';

/** Tokens that the writer changes. */
export const TOKENS = 60;
/** Users of the clients, and the most connections of each. */
export const USERS = 200;

/** A token in MongoDB. */
const rowSchema = z.object({ _id: z.string(), version: z.int() });
export type Row = z.infer<typeof rowSchema>;

/** The list as a gateway responds. */
export const snapshotSchema = z.object({ position: feedCursorSchema, rows: z.array(rowSchema) });
export type Snapshot = z.infer<typeof snapshotSchema>;

/** `die between`: right after a write to MongoDB, before it is appended. `be quiet`: change nothing more, and report `quiet`. */
export type Command = 'die between' | 'be quiet';
