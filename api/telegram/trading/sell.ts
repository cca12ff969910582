import { addressSchema } from '../../../common/tokens/model.ts';
import type { Position } from '../../../common/trading/position.ts';
import type { Command, CommandContext } from '../commands/command.ts';
import { botMode } from './allowed.ts';
import { addressNeeded, findToken, type NamedToken, startsWithAddress, wrongFigure } from './find-token.ts';
import { offerTrades } from './offer.ts';
import { tokenLabel } from './text.ts';

const USAGE = 'Send /sell <address or symbol> [%], such as /sell SYM 50.';

export const sell: Command = {
  command: 'sell',
  description: 'Sell a token: /sell <address or symbol> [%]',
  access: 'linked',
  async run(input, context) {
    const { trading } = context;
    const asked = parseSell(input.args);
    if (!asked) return `${wrongFigure(input.args, 'a percentage from 1 to 100') ?? 'Which one?'} ${USAGE}`;
    const userId = input.user._id.toHexString();
    const account = await trading.account(userId);
    const allowed = botMode(account);
    if ('refusal' in allowed) return allowed.refusal;
    const token = await heldToken(asked.token, await trading.positions(userId), context);
    if ('refusal' in token) return token.refusal;
    const { slippageBps, sellPresets } = account.defaults;
    const shares = asked.sharePercent === null ? [...new Set(sellPresets)] : [asked.sharePercent];
    const trade = { address: token.address, side: 'sell' as const, lamports: null, slippageBps };
    const trades = shares.map((sharePercent) => ({ ...trade, sharePercent }));
    return offerTrades(token, trades, { ...allowed, input, context });
  },
};

/** Parses '<token> [percent] [%]'. `sharePercent`: null without one. Null: no token, or no percentage from 1 to 100. */
export function parseSell(args: string): { token: string; sharePercent: number | null } | null {
  const [, token = '', percent] = /^(.*?)(?:\s+(\d{1,3})\s*%?)?$/.exec(args) ?? [];
  if (token === '' || startsWithAddress(token)) return null;
  if (percent === undefined) return { token, sharePercent: null };
  const sharePercent = Number(percent);
  return sharePercent >= 1 && sharePercent <= 100 ? { token, sharePercent } : null;
}

/** Returns the token of an address, or the only one of a symbol that the user holds. */
async function heldToken(
  text: string,
  positions: readonly Position[],
  context: CommandContext,
): Promise<NamedToken | { refusal: string }> {
  const symbol = text.replace(/^\$/, '').toLowerCase();
  const isNamed = ({ token }: Position) => token.address === text || token.symbol?.trim().toLowerCase() === symbol;
  const held = new Map(positions.filter(isNamed).map(({ token }) => [token.address, token]));
  const [first, ...others] = held.values();
  if (first && others.length === 0) return { address: first.address, label: tokenLabel(first) };
  if (first) return { refusal: addressNeeded([...held.keys()]) };
  // A wallet may hold tokens that were not bought here.
  if (addressSchema.safeParse(text).success) return findToken(text, context);
  return { refusal: 'You hold no token with this symbol. Send its address if it was bought elsewhere.' };
}
