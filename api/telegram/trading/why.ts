import type { Explanation } from '../../../common/decisions/model.ts';
import { explanationText } from '../../../common/decisions/text.ts';
import type { Command } from '../commands/command.ts';
import { lines } from '../commands/text.ts';
import { findToken } from './find-token.ts';

/** Rules and strategies in one message: what fits on a phone. */
const SHOWN = 8;

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
    const rest = plans.length > SHOWN ? `And ${plans.length - SHOWN} more on the page of the token.` : null;
    const blocks = plans.slice(0, SHOWN).map((plan) => planLines(plan, isDeciding, context.clock.now()));
    return [lines(`Why · ${token.label}`, token.address), ...blocks, ...(rest === null ? [] : [rest])].join('\n\n');
  },
};

function planLines(explanation: Explanation, isDeciding: boolean, now: number): string {
  const { plan } = explanation;
  const kind = plan.kind === 'rule' ? 'Rule' : 'Strategy';
  return `${kind} “${plan.name}”\n${explanationText(explanation, isDeciding, now)}`;
}
