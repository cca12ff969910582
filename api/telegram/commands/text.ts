/** Shown for an unknown value; never 0. */
export const UNKNOWN = '–';

/** Explains how to link a chat to an account. */
export function linkInstructions(publicUrl: string | null): string {
  const how = 'To link this chat, get a link code in Settings → Telegram and send it here as /start <code>.';
  return lines(how, publicUrl === null ? null : `${publicUrl}/app/settings?tab=telegram`);
}

/** Joins the parts that are not null. */
export function lines(...parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null).join('\n');
}
