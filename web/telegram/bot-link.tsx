import { Send } from 'lucide-react';
import { useClientConfig } from '../chain/config.ts';
import { type ButtonSize, buttonClass } from '../ui/button.tsx';
import { useBotStatus } from './use-bot-status.ts';

/** Where the product's bot is; null while not known, and where there is none. */
export function useBotAddress(): string | null {
  const { config } = useClientConfig();
  const { data: status } = useBotStatus();
  const username = status?.botUsername ?? config?.botUsername ?? null;
  return username === null ? null : `https://t.me/${encodeURIComponent(username)}`;
}

/** Opens the bot in Telegram; nothing where there is no bot. */
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
