import type { ReactNode } from 'react';
import { Age } from '../live/hooks/age.tsx';
import { Badge } from '../ui/badge.tsx';
import { Card } from '../ui/card.tsx';
import { classNames } from '../ui/class-names.ts';
import { count, MISSING } from '../ui/format.ts';
import type { DetailedStatus } from './use-bot-status.ts';

/** Number of messages shown (specification, section 9). */
const MESSAGES_SHOWN = 3;

interface StatusProps {
  status: DetailedStatus;
}

/** Identity and contact of the bot. It is connected if `botInfo` is known (specification, section 4) and Telegram responds. */
export function BotFacts({ status }: StatusProps) {
  const isConnected = status.botInfo !== null && status.connected;
  return (
    <Card
      title="Bot Status"
      actions={<Badge tone={isConnected ? 'accent' : 'danger'}>{isConnected ? 'Connected' : 'Not connected'}</Badge>}
    >
      <Facts>
        <Fact label="Name">{status.botName ?? MISSING}</Fact>
        <Fact label="Username">{status.botUsername === null ? MISSING : `@${status.botUsername}`}</Fact>
        <Fact label="Last contact">{status.lastContactAt === null ? MISSING : <Ago at={status.lastContactAt} />}</Fact>
        <Fact label="Updates handled">{count(status.updates)}</Fact>
      </Facts>
    </Card>
  );
}

export function UserConnections({ status: { activeUserCount } }: StatusProps) {
  const some = activeUserCount > 0;
  return (
    <Card title="User Connections">
      <p
        data-tone={some ? 'green' : 'orange'}
        className={classNames(
          'font-semibold text-2xl tabular-nums tracking-tight',
          some ? 'text-up' : 'text-risk-medium',
        )}
      >
        {count(activeUserCount)}
      </p>
      <p className="mt-1 text-muted text-sm">
        {some
          ? `linked ${activeUserCount === 1 ? 'chat that receives' : 'chats that receive'} messages`
          : 'No chat is linked yet. Users link theirs in Settings, under Telegram.'}
      </p>
    </Card>
  );
}

export function RecentUpdates({ status: { recentMessages } }: StatusProps) {
  return (
    <Card title="Recent Updates">
      {recentMessages.length === 0 && (
        <p className="text-muted text-sm">The bot has received no message since it started.</p>
      )}
      <ul className="flex flex-col gap-2">
        {withKeys(recentMessages.slice(0, MESSAGES_SHOWN)).map(({ key, from, text, date }) => (
          <li key={key} className="min-w-0 border-line border-l-2 pl-3">
            <p className="flex items-baseline justify-between gap-2 text-muted text-xs">
              <span className="truncate">{from}</span>
              <Ago at={date} />
            </p>
            <p className="line-clamp-2 break-words text-sm">{text}</p>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Adds a unique key to each message: dates have seconds, and a user may send the same text twice in one. */
function withKeys(messages: DetailedStatus['recentMessages']) {
  const seen = new Map<string, number>();
  return messages.map((message) => {
    const content = `${message.date} ${message.from} ${message.text}`;
    const before = seen.get(content) ?? 0;
    seen.set(content, before + 1);
    return { ...message, key: `${before} ${content}` };
  });
}

export function ConnectionDetails({ status }: StatusProps) {
  const { botInfo } = status;
  return (
    <Card title="Bot connection details">
      <Facts>
        <Fact label="Bot id">{botInfo === null ? MISSING : String(botInfo.id)}</Fact>
        <Fact label="API host">{status.apiHost}</Fact>
        <Fact label="Token">{status.configured ? 'set' : 'not set'}</Fact>
        <Fact label="Can join groups">{yesOrNo(botInfo?.can_join_groups)}</Fact>
        <Fact label="Reads all group messages">{yesOrNo(botInfo?.can_read_all_group_messages)}</Fact>
        <Fact label="Inline queries">{yesOrNo(botInfo?.supports_inline_queries)}</Fact>
      </Facts>
    </Card>
  );
}

function yesOrNo(value: boolean | undefined): string {
  if (value === undefined) return MISSING;
  return value ? 'yes' : 'no';
}

function Facts({ children }: { children: ReactNode }) {
  return <dl className="flex flex-col gap-1.5 text-sm">{children}</dl>;
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex items-baseline justify-between gap-3">
      <dt className="shrink-0 text-muted">{label}</dt>
      <dd className="min-w-0 truncate tabular-nums">{children}</dd>
    </div>
  );
}

function Ago({ at }: { at: string }) {
  return (
    <span className="shrink-0 tabular-nums">
      <Age at={at} /> ago
    </span>
  );
}
