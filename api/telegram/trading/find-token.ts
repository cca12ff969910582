import { addressSchema } from '../../../common/tokens/model.ts';
import { cutText, plainText } from '../../../common/tokens/plain-text.ts';
import { presentToken } from '../../tokens/present.ts';
import type { CommandContext } from '../commands/command.ts';
import { lines } from '../commands/text.ts';
import { tokensOfSymbol } from '../commands/tokens.ts';
import { tokenLabel } from './text.ts';

/** Addresses of one symbol listed in a reply. */
const LISTED = 5;
/** Longest repeated word of a message. */
const FIGURE_MAX = 20;

/** A token that a person named. */
export interface NamedToken {
  address: string;
  label: string;
}

/** Returns the token of an address, or the only one of a symbol; otherwise what to send instead. */
export async function findToken(
  text: string,
  { queries }: Pick<CommandContext, 'queries'>,
): Promise<NamedToken | { refusal: string }> {
  if (addressSchema.safeParse(text).success) {
    const found = await queries.byAddress(text);
    return found ? named(presentToken(found)) : { refusal: 'No token with this address is known.' };
  }
  const [only, ...others] = await tokensOfSymbol(text, queries);
  if (!only) return { refusal: 'No token with this symbol is known.' };
  return others.length === 0
    ? named(presentToken(only))
    : { refusal: addressNeeded([only, ...others].map(({ _id }) => _id)) };
}

/** Whether words follow an address: then they are no part of a symbol, but an amount that can't be read. */
export function startsWithAddress(text: string): boolean {
  const [first, ...others] = text.split(/\s+/);
  return others.length > 0 && addressSchema.safeParse(first).success;
}

/** Names the last word after a token, which is not `what`; null when there is only one word. */
export function wrongFigure(args: string, what: string): string | null {
  const [, last] = /\s(\S+)$/.exec(args) ?? [];
  return last === undefined ? null : `“${cutText(plainText(last), FIGURE_MAX)}” is not ${what}.`;
}

/** Demands the address, since any creator may copy a symbol. */
export function addressNeeded(addresses: readonly string[]): string {
  const rest = addresses.length - LISTED;
  return lines(
    `${addresses.length} tokens have this symbol. Send the address of the one you mean:`,
    ...addresses.slice(0, LISTED),
    rest > 0 ? `And ${rest} more.` : null,
  );
}

function named(token: { address: string; name: string | null; symbol: string | null }): NamedToken {
  return { address: token.address, label: tokenLabel(token) };
}
