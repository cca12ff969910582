import type { Explanation } from '../../../common/decisions/model.ts';
import { explanationText } from '../../../common/decisions/text.ts';
import type { TradeTerms, TradingMode } from '../../../common/trading/account.ts';
import { initialRefusal, type Position } from '../../../common/trading/position.ts';
import { reason, reasonText } from '../../../common/trading/reasons.ts';
import type { Command, CommandContext } from '../commands/command.ts';
import { lines } from '../commands/text.ts';
import type { Keyboard } from '../sender.ts';
import { botMode, LIVE_OFF } from './engine.ts';
import { blockedText, modeBadge, orderLines, ownerLabel, positionLines, tokenLabel } from './text.ts';
import { findToken, sellText } from './trade.ts';

/** Positions and orders in one message: what fits on a phone. */
const SHOWN = 5;
/** Shares of the buttons, percent. */
const SHARES = [50, 100];

export const positions: Command = {
  command: 'positions',
  description: 'Your open positions, with buttons to sell',
  access: 'linked',
  async run({ user, chat }, context) {
    const { trading, publicUrl } = context;
    const userId = user._id.toHexString();
    const account = await trading.account(userId);
    // Without a mode nothing can be sold, and no position is listed.
    if (account.mode === null) return reasonText(reason('trading-off'));
    const open = await trading.positions(userId);
    const blocked = lines(...blockedText(account));
    if (open.length === 0) {
      return ['No positions. What rules, strategies and you buy shows here.', blocked].filter(Boolean).join('\n\n');
    }
    const allowed = botMode(account);
    const shown = open.slice(0, SHOWN);
    const rest = open.length > SHOWN ? `And ${open.length - SHOWN} more on the Positions page.` : null;
    const text = [
      `Positions · ${modeBadge(account.mode)}`,
      blocked,
      ...shown.map(positionLines),
      lines(rest, publicUrl === null ? null : `${publicUrl}/app/positions`),
      'refusal' in allowed ? LIVE_OFF : '',
    ];
    const message = text.filter((block) => block !== '').join('\n\n');
    if ('refusal' in allowed) return message;
    const to = { userId, chatId: chat.chatId, mode: allowed.mode };
    const { sell: presets, chosenSell } = account.presets;
    return { text: message, buttons: sellButtons(shown, presets[chosenSell], to, context) };
  },
};

export const orders: Command = {
  command: 'orders',
  description: 'Your newest orders',
  access: 'linked',
  async run({ user }, { trading }) {
    const newest = await trading.orders(user._id.toHexString(), SHOWN);
    return newest.length === 0 ? 'No orders yet.' : newest.map(orderLines).join('\n\n');
  },
};

/**
 * Returns the rows of each token, with a question of its own: selling one leaves the buttons of the others. Shares are of the whole
 * token; the initial is of one position, and has a button while its sale returns it.
 */
function sellButtons(
  shown: readonly Position[],
  terms: TradeTerms,
  to: { userId: string; chatId: string; mode: TradingMode },
  { confirms }: CommandContext,
): Keyboard {
  const tokens = new Map(shown.map(({ token }) => [token.address, token]));
  return [...tokens.values()].flatMap((token) => {
    const label = tokenLabel(token);
    const trade = { ...terms, address: token.address, side: 'sell' as const, lamports: null };
    const row = SHARES.map((sharePercent) => ({
      text: `${sellText(sharePercent)} · ${label}`,
      choice: { type: 'trade' as const, trade: { ...trade, sharePercent }, label, least: null, accept: [] },
    }));
    const initials = shown
      .filter((position) => position.token.address === token.address && initialRefusal(position) === null)
      .map((position) => ({
        text: `Sell the initial · ${ownerLabel(position)}`,
        choice: {
          ...{ type: 'trade' as const, label, least: null, accept: [] },
          trade: { ...trade, sharePercent: null, initialOf: position.id },
        },
      }));
    return confirms.ask(to, [row, ...initials.map((button) => [button])]);
  });
}

/** Rules and strategies in one message: what fits on a phone. */
const PLANS_SHOWN = 8;

export const why: Command = {
  command: 'why',
  description: 'What your rules and strategies wait for, or why they do not buy a token',
  access: 'linked',
  async run({ args, user }, context) {
    if (args === '') return 'Which token? Send /why <address or symbol>.';
    const token = await findToken(args, context);
    if ('refusal' in token) return token.refusal;
    const { plans, isDeciding } = await context.explainToken(user, user._id.toHexString(), token.address);
    if (plans.length === 0) return 'You have no rules or strategies. Make one on the Rules page.';
    const rest = plans.length > PLANS_SHOWN ? `And ${plans.length - PLANS_SHOWN} more on the page of the token.` : null;
    const blocks = plans.slice(0, PLANS_SHOWN).map((plan) => planLines(plan, isDeciding, context.clock.now()));
    return [lines(`Why · ${token.label}`, token.address), ...blocks, ...(rest === null ? [] : [rest])].join('\n\n');
  },
};

function planLines(explanation: Explanation, isDeciding: boolean, now: number): string {
  const { plan } = explanation;
  const kind = plan.kind === 'rule' ? 'Rule' : 'Strategy';
  return `${kind} “${plan.name}”\n${explanationText(explanation, isDeciding, now)}`;
}
