import { Bot } from 'lucide-react';
import { useIsAdmin } from '../auth/session.ts';
import { StatCard } from '../ui/stat-card.tsx';
import { isActive, useBotStatus } from './use-bot-status.ts';

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
