import type { TradingMode } from '../../../common/trading/account.ts';
import { reasonText } from '../../../common/trading/reasons.ts';
import { sol } from '../../../common/trading/text.ts';
import type { CommandContext, LinkedInput, Reply } from '../commands/command.ts';
import { lines } from '../commands/text.ts';
import type { ConfirmButton } from '../confirms.ts';
import type { BotTrade } from './engine.ts';
import type { NamedToken } from './find-token.ts';
import { modeBadge, quoteLines, warningsText } from './text.ts';

const ALL = 100;

/** A quoted trade with its button; a refused one has its amount and the reason instead. */
type Offer = { text: string; button: ConfirmButton } | { amount: string; refusal: string };

interface OfferContext {
  input: LinkedInput;
  mode: TradingMode;
  context: Pick<CommandContext, 'trading' | 'confirms'>;
}

/**
 * Returns the reply with the quotes of these trades of a token, each reason once with the amounts that it refuses, a button for
 * each trade that was not refused, and Cancel.
 */
export async function offerTrades(
  token: NamedToken,
  trades: readonly BotTrade[],
  { input, mode, context: { trading, confirms } }: OfferContext,
): Promise<Reply> {
  const userId = input.user._id.toHexString();
  const offers = await Promise.all(
    trades.map(async (trade): Promise<Offer> => {
      const { quote, refusal } = await trading.quote(userId, trade);
      const isPurchase = trade.side === 'buy';
      const amount = isPurchase ? sol(trade.lamports ?? 0) : sellText(trade.sharePercent ?? ALL);
      if (refusal || !quote) return { amount, refusal: refusal ? reasonText(refusal) : 'no quote' };
      const { warnings: accept, leastTokens, leastLamports } = quote;
      const least = isPurchase ? (leastTokens ?? '0') : (leastLamports?.toString() ?? null);
      const choice = { type: 'trade' as const, trade, label: token.label, least, accept };
      const text = lines(quoteLines(quote, token.label), warningsText(accept));
      return { text, button: { text: isPurchase ? `Buy ${amount}` : amount, choice } };
    }),
  );
  const refused = new Map<string, string[]>();
  for (const offer of offers) {
    if ('refusal' in offer) refused.set(offer.refusal, [...(refused.get(offer.refusal) ?? []), offer.amount]);
  }
  const quoted = offers.flatMap((offer) => ('button' in offer ? offer : []));
  const refusals = [...refused].map(([refusal, amounts]) => `${amounts.join(', ')}: ${refusal}`);
  const verb = trades[0]?.side === 'sell' ? 'Sell' : 'Buy';
  const title = `${verb} ${token.label} · ${modeBadge(mode)}\n${token.address}`;
  const text = [title, ...quoted.map((offer) => offer.text), ...refusals].join('\n\n');
  if (quoted.length === 0) return text;
  const rows = [quoted.map(({ button }) => button), [{ text: 'Cancel', choice: { type: 'cancel' as const } }]];
  return { text, buttons: confirms.ask({ userId, chatId: input.chat.chatId, mode }, rows) };
}

/** Returns the text of a button that sells. */
export function sellText(sharePercent: number): string {
  return sharePercent === ALL ? 'Sell all' : `Sell ${sharePercent} %`;
}
