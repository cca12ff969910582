import { Send } from 'lucide-react';
import { useClientConfig } from '../chain/config.ts';
import { type ButtonSize, buttonClass } from '../ui/button.tsx';
import { useBotStatus } from './use-bot-status.ts';

/** Returns the bot's address on Telegram; null while unknown, and for a server without a bot. */
export function useBotAddress(): string | null {
  const { config } = useClientConfig();
  const { data: status } = useBotStatus();
  const username = status?.botUsername ?? config?.botUsername ?? null;
  return username === null ? null : `https://t.me/${encodeURIComponent(username)}`;
}

/** A link that opens the bot in Telegram; renders nothing without a bot. */
export function BotButton({ label, size = 'sm' }: { label: string; size?: ButtonSize }) {
  const address = useBotAddress();
  if (address === null) return null;
  return (
    <a href={address} target="_blank" rel="noreferrer" className={buttonClass('secondary', size)}>
      <Send size={14} strokeWidth={1.75} aria-hidden="true" />
      {label}
    </a>
  );
}
