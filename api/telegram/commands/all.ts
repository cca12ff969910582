import { buy } from '../trading/buy.ts';
import { orders, positions } from '../trading/positions.ts';
import { sell } from '../trading/sell.ts';
import { resume, stop } from '../trading/stop.ts';
import { why } from '../trading/why.ts';
import { alerts } from './alerts.ts';
import type { Command } from './command.ts';
import { start, unlink } from './link.ts';
import { rules } from './rules.ts';
import { status } from './status.ts';
import { linkInstructions } from './text.ts';
import { token } from './token.ts';
import { mightRun, newTokens, runners, watch } from './token-lists.ts';
import { balance, wallet } from './wallet.ts';

const help: Command = {
  command: 'help',
  description: 'List the commands',
  access: 'everyone',
  run({ user }, { commands: all, publicUrl }) {
    const list = all.map(({ command, description }) => `/${command} – ${description}`).join('\n');
    return user ? list : `${list}\n\n${linkInstructions(publicUrl)}`;
  },
};

/** All commands, in the order of the menu. The dashboard shows the first six. */
export const commands: readonly Command[] = [
  start,
  help,
  status,
  newTokens,
  runners,
  mightRun,
  token,
  watch,
  wallet,
  balance,
  rules,
  alerts,
  buy,
  sell,
  positions,
  orders,
  why,
  stop,
  resume,
  unlink,
];
