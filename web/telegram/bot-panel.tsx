import { Bot, ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import type { BotStatus } from '../../common/telegram/model.ts';
import { useIsAdmin } from '../auth/session.ts';
import { Badge } from '../ui/badge.tsx';
import { Notice } from '../ui/notice.tsx';
import { BotButton } from './bot-link.tsx';
import { isActive, useBotStatus } from './use-bot-status.ts';

/** Number of the status's commands that the panel shows (specification, section 9). */
const COMMANDS_SHOWN = 6;

/** The bot on the dashboard: its commands while it is active, else the reason why it is not. */
export function BotPanel() {
  const { data: status } = useBotStatus();
  if (status === undefined) return null;
  if (!status.configured) return <NoToken />;
  if (!isActive(status)) {
    return (
      <Alert title="The Telegram bot is not connected">
        Telegram does not respond at the moment. Alerts are sent when it does; until then this page shows them.
      </Alert>
    );
  }
  return <ActivePanel status={status} />;
}

/** Shows that there is no bot. Only an administrator can change that: others get one line, with the text on demand. */
function NoToken() {
  const isAdmin = useIsAdmin();
  const title = 'No Telegram Bot Token';
  const text =
    'The Telegram bot is not active because no TELEGRAM_BOT_TOKEN was provided. Please add this environment variable to enable the bot functionality.';
  if (isAdmin) return <Alert title={title}>{text}</Alert>;
  return (
    <div role="alert">
      <details className="group text-muted text-xs">
        <summary className="flex h-6 w-max cursor-pointer list-none items-center gap-1.5 rounded-sm hover:text-text [&::-webkit-details-marker]:hidden">
          <Bot size={14} strokeWidth={1.75} aria-hidden="true" />
          {title}
          <ChevronDown
            size={14}
            strokeWidth={1.75}
            aria-hidden="true"
            className="transition-transform group-open:rotate-180"
          />
        </summary>
        <p className="max-w-prose pt-1 pb-1.5 pl-5">{text}</p>
      </details>
    </div>
  );
}

function Alert({ title, children }: { title: string; children: string }) {
  return (
    <div role="alert">
      <Notice tone="warning" title={title}>
        {children}
      </Notice>
    </div>
  );
}

function ActivePanel({ status }: { status: BotStatus }) {
  const shown = status.commands.slice(0, COMMANDS_SHOWN);
  return (
    <section
      aria-label="Telegram bot"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-line bg-surface px-4 py-2.5"
    >
      <p className="flex items-center gap-2 font-medium text-sm">
        <Bot size={16} strokeWidth={1.75} aria-hidden="true" className="text-muted" />
        {status.botName ?? 'Telegram bot'}
        <Badge tone="accent">Active</Badge>
      </p>
      <p className="text-muted text-sm">
        Send <Command>/start</Command> to begin and <Command>/help</Command> for all commands.
      </p>
      <ul
        aria-label="Commands"
        className="order-last flex min-w-0 basis-full flex-wrap gap-x-4 gap-y-1 text-muted text-xs short:sr-only"
      >
        {shown.map(({ command, description }) => (
          <li key={command} className="min-w-0">
            <Command>/{command}</Command> <span className="max-lg:sr-only">{description}</span>
          </li>
        ))}
      </ul>
      <span className="ml-auto">
        <BotButton label="Open in Telegram" />
      </span>
    </section>
  );
}

function Command({ children }: { children: ReactNode }) {
  return <code className="rounded-sm bg-text/6 px-1 py-0.5 font-mono text-text text-xs">{children}</code>;
}
