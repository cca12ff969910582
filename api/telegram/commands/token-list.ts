import { presentToken } from '../../tokens/present.ts';
import type { TokenRecord } from '../../tokens/record.ts';
import type { CommandContext } from './command.ts';
import { tokenLines } from './text.ts';

/** Tokens in one message: what fits on a telephone. */
export const LISTED = 5;

/** A list of tokens under its title, or what to say of an empty one. */
export function listText(
  title: string,
  records: readonly TokenRecord[],
  empty: string,
  { clock, publicUrl }: Pick<CommandContext, 'clock' | 'publicUrl'>,
): string {
  if (records.length === 0) return empty;
  const blocks = records.slice(0, LISTED).map((record) => tokenLines(presentToken(record), clock.now(), publicUrl));
  return [title, ...blocks].join('\n\n');
}
