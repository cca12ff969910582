import { ruleSentence } from '../../../common/rules/conditions.ts';
import type { Command } from './command.ts';

/** Rules in one message; the web page has all. */
const SHOWN = 10;

export const rules: Command = {
  command: 'rules',
  description: 'Your auto-buy rules',
  access: 'linked',
  async run({ user }, context) {
    const all = await context.rules.list(user, user._id.toHexString());
    if (all.length === 0) return 'You have no rules. Make one on the Rules page.';
    const blocks = all
      .slice(0, SHOWN)
      .map((rule) => `${rule.isActive ? 'On' : 'Off'}: ${rule.name}\n${ruleSentence(rule)}`);
    const rest = all.length > SHOWN ? [`And ${all.length - SHOWN} more.`] : [];
    return [...blocks, ...rest].join('\n\n');
  },
};
