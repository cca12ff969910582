import type { TradingMode } from '../../../common/trading/account.ts';
import { type Reason, reasonText } from '../../../common/trading/reasons.ts';
import type { CommandContext, LinkedInput, Reply } from '../commands/command.ts';
import type { ConfirmButton } from '../confirms/confirms.ts';

/** A quoted trade with its button; a refused one has its amount and the reason instead. */
export type Offer = { text: string; button: ConfirmButton } | { amount: string; refusal: string };

const cancelButton: ConfirmButton = { text: 'Cancel', choice: { type: 'cancel' } };

/** Returns a refused offer. `reason`: null when there is no quote for another reason. */
export function refusedOffer(amount: string, reason: Reason | null): Offer {
  return { amount, refusal: reason ? reasonText(reason) : 'no quote' };
}

/**
 * Returns the reply with the quotes, each reason once with the amounts that it refuses, a button for each offer that was not
 * refused, and Cancel.
 */
export async function offerReply(
  title: string,
  offers: readonly Offer[],
  { input, mode, context }: { mode: TradingMode; input: LinkedInput; context: CommandContext },
): Promise<Reply> {
  const refused = new Map<string, string[]>();
  for (const offer of offers) {
    if ('refusal' in offer) refused.set(offer.refusal, [...(refused.get(offer.refusal) ?? []), offer.amount]);
  }
  const quoted = offers.flatMap((offer) => ('button' in offer ? offer : []));
  const refusals = [...refused].map(([refusal, amounts]) => `${amounts.join(', ')}: ${refusal}`);
  const text = [title, ...quoted.map((offer) => offer.text), ...refusals].join('\n\n');
  if (quoted.length === 0) return text;
  const asked = { userId: input.user._id.toHexString(), chatId: input.chat.chatId, mode };
  const buttons = quoted.map(({ button }) => button);
  return { text, buttons: await context.confirms.ask(asked, [buttons, [cancelButton]]) };
}
