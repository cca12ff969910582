import { counted } from '../../../common/counted.ts';
import type { TradingAccount } from '../../../common/trading/account.ts';
import { reason, reasonText } from '../../../common/trading/reasons.ts';
import type { StopReport } from '../../../common/trading/stop.ts';
import { stoppedOrdersText } from '../../../common/trading/text.ts';
import type { Command } from '../commands/command.ts';
import { lines } from '../commands/text.ts';
import { FROM_TELEGRAM } from '../links.ts';
import { botMode, LIVE_OFF, RESUME_ON_WEB } from './engine.ts';
import { blockedText } from './text.ts';

export const stop: Command = {
  command: 'stop',
  description: 'Stop buying at once',
  access: 'linked',
  async run({ user, chat }, { trading, confirms }) {
    const userId = user._id.toHexString();
    // Before anything else is read: it acts at once.
    const report = await trading.stop({ user, address: FROM_TELEGRAM }, { sell: false });
    const [account, open] = await Promise.all([trading.account(userId), trading.positions(userId)]);
    const isPaused = account.stopped?.pausesExits ?? false;
    const stopped = stoppedText(report, open.length, isPaused);
    const allowed = botMode(account);
    if (open.length === 0) return stopped;
    if ('refusal' in allowed) return `${stopped}\n\n${LIVE_OFF}`;
    const rows = [
      [{ text: 'Sell everything', choice: { type: 'sell-everything' as const } }],
      ...(isPaused ? [] : [[{ text: 'Pause exits too', choice: { type: 'pause-exits' as const } }]]),
      [{ text: 'Keep positions', choice: { type: 'keep-positions' as const } }],
    ];
    return { text: stopped, buttons: confirms.ask({ userId, chatId: chat.chatId, mode: allowed.mode }, rows) };
  },
};

export const resume: Command = {
  command: 'resume',
  description: 'Allow buying again after a stop',
  access: 'linked',
  async run({ user }, { trading }) {
    const account = await trading.account(user._id.toHexString());
    const refusal = whyNotResumed(account);
    if (refusal !== null) return refusal;
    const after = await trading.resume({ user, address: FROM_TELEGRAM });
    const blocked = blockedText(after);
    return blocked.length > 0 ? lines(...blocked) : 'Buying is possible again. /stop ends it.';
  },
};

function whyNotResumed(account: TradingAccount): string | null {
  const { mode, stopped } = account;
  if (mode === null) return reasonText(reason('trading-off'));
  if (!stopped)
    return account.stoppedAll
      ? lines(...blockedText(account))
      : lines('Trading is not stopped.', ...blockedText(account));
  return mode === 'live' ? RESUME_ON_WEB : null;
}

/** Returns what a stop did. `open`: open positions. */
function stoppedText(report: StopReport, open: number, isPaused: boolean): string {
  return lines(
    'Buying has stopped.',
    ...stoppedOrdersText(report),
    open === 0 ? 'You have no open positions.' : `Your ${counted(open, 'position')} ${open === 1 ? 'stays' : 'stay'}.`,
    open === 0 ? null : `Their exits ${isPaused ? 'are paused' : 'go on'}.`,
    'Resume with /resume or on the website.',
  );
}
