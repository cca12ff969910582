import type { SourceStatus } from '../../../common/sources/model.ts';
import { blockedText } from '../trading/text.ts';
import type { Command } from './command.ts';
import { lines, UNKNOWN } from './text.ts';

export const status: Command = {
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

function sourcesText(sources: readonly SourceStatus[]): string {
  return sources.length === 0 ? 'none' : sources.map(({ source, state }) => `${source} ${state}`).join(', ');
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}
