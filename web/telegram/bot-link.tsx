import { Send } from 'lucide-react';
import { buttonClass } from '../ui/button.tsx';
import { useBotStatus } from './use-bot-status.ts';

/** Returns the bot's address on Telegram; null while unknown, and for a server without a bot. */
export function useBotAddress(): string | null {
  const { data: status } = useBotStatus();
  const username = status?.botUsername ?? null;
  return username === null ? null : `https://t.me/${encodeURIComponent(username)}`;
}

/** A link that opens the bot in Telegram; renders nothing without a bot. */
export function BotButton({ label }: { label: string }) {
  const address = useBotAddress();
  if (address === null) return null;
  return (
    <a href={address} target="_blank" rel="noreferrer" className={buttonClass('secondary', 'sm')}>
      <Send size={14} strokeWidth={1.75} aria-hidden="true" />
      {label}
    </a>
  );
}
