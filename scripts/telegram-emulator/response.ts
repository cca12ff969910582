/** A response of the Bot API; `cut` breaks the connection instead. */
export type BotResponse =
  | { status: 200; result: unknown }
  | { status: number; error: string; parameters?: { retry_after: number } }
  | { status: number; html: string }
  | 'cut';

/** Returns a successful response. */
export function ok(result: unknown): BotResponse {
  return { status: 200, result };
}
