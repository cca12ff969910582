import { Bot, ListChecks, Wallet as WalletIcon } from 'lucide-react';
import { ruleCalls } from '../../common/rules/http.ts';
import { walletCalls } from '../../common/wallet/http.ts';
import type { Wallet } from '../../common/wallet/model.ts';
import { useIsAdmin, useUserId } from '../auth/session.ts';
import { useUserQuery } from '../live/hooks/use-user-query.ts';
import { isActive, useBotStatus } from '../telegram/use-bot-status.ts';
import { count, shortAddress } from '../ui/format.ts';
import { StatCard } from '../ui/stat-card.tsx';

/** Shows the number of the user's auto-buy rules. */
export function RulesCard() {
  const { data: rules } = useUserQuery(ruleCalls.list, {});
  const active = rules?.filter((rule) => rule.isActive).length ?? 0;
  return (
    <StatCard
      line
      label="Auto-Buy Rules"
      value={rules === undefined ? null : count(rules.length)}
      hint={rules === undefined || rules.length === 0 ? 'none yet' : `${count(active)} active`}
      icon={<ListChecks size={14} strokeWidth={1.75} aria-hidden="true" />}
      href="/app/auto-buy"
    />
  );
}

/** Shows the user's wallet. */
export function WalletCard() {
  const { data: wallet } = useUserQuery(walletCalls.get, { params: { userId: useUserId() ?? '' } });
  return (
    <StatCard
      line
      label="Wallet"
      value={wallet === undefined ? null : writtenWallet(wallet)}
      hint={wallet === undefined ? 'for transfers and buys' : hintOf(wallet)}
      icon={<WalletIcon size={14} strokeWidth={1.75} aria-hidden="true" />}
      words
      href="/app/wallet"
    />
  );
}

function writtenWallet({ walletAddress }: Wallet): string {
  return walletAddress === null ? 'Not Set' : shortAddress(walletAddress);
}

function hintOf({ walletAddress, hasKey }: Wallet): string {
  if (walletAddress === null) return 'create or import one';
  return hasKey ? 'can buy and transfer' : 'address only';
}

/** The dashboard's card with the state of the bot. */
export function BotCard() {
  const { data: status } = useBotStatus();
  const isAdmin = useIsAdmin();
  return (
    <StatCard
      line
      label="Bot"
      value={status === undefined ? null : isActive(status) ? 'Active' : 'Inactive'}
      hint="alerts by Telegram"
      icon={<Bot size={14} strokeWidth={1.75} aria-hidden="true" />}
      words
      href={isAdmin ? '/app/telegram-status' : '/app/settings?tab=telegram'}
    />
  );
}
