import type { SourceStatus } from '../../../common/sources/model.ts';
import { orders, positions, why } from '../trading/positions.ts';
import { resume, stop } from '../trading/stop.ts';
import { blockedText } from '../trading/text.ts';
import { buy, sell } from '../trading/trade.ts';
import { alerts, balance, rules, start, unlink, wallet } from './account.ts';
import type { Command } from './command.ts';
import { lines, linkInstructions, UNKNOWN } from './text.ts';
import { mightRun, newTokens, runners, token, watch } from './tokens.ts';

const status: Command = {
  command: 'status',
  description: 'Tokens, sources and your account',
  access: 'everyone',
  async run({ user }, { queries, market, trading }) {
    const account = user && (await trading.account(user._id.toHexString()));
    const { total, newLastHour, runners, mightRun, solUsd, simulated } = await queries.stats();
    return lines(
      `Tokens: ${count(total)}, ${count(newLastHour)} new in the last hour`,
      `Runners: ${count(runners)} · Might run: ${count(mightRun)}`,
      `1 SOL: ${solUsd === null ? UNKNOWN : `$${solUsd.rate.toFixed(2)}`}`,
      `Sources: ${sourcesText(market.status())}`,
      simulated ? 'Some of these tokens are simulated.' : null,
      ...(account ? blockedText(account) : []),
      user ? `Linked to ${user.username}.` : 'This chat is not linked to an account.',
    );
  },
};

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

function sourcesText(sources: readonly SourceStatus[]): string {
  return sources.length === 0 ? 'none' : sources.map(({ source, state }) => `${source} ${state}`).join(', ');
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}
