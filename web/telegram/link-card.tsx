import { useState } from 'react';
import { telegramCalls } from '../../common/telegram/http.ts';
import type { LinkCode, TelegramLink } from '../../common/telegram/model.ts';
import { useUserId } from '../auth/session.ts';
import { request } from '../http/client.ts';
import { serverClockAtom } from '../live/atoms/clock.ts';
import { useUserQuery } from '../live/hooks/use-user-query.ts';
import { queryClientAtom, useAtomValue, useStore } from '../store.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { CopyAddress } from '../ui/copy-address.tsx';
import { utcTime } from '../ui/format.ts';
import { Notice } from '../ui/notice.tsx';
import { Problem } from '../ui/problem.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { toast } from '../ui/toast-store.ts';
import { applyUserData } from '../users/apply.ts';
import { useSaving } from '../users/use-saving.ts';
import { isActive, useBotStatus } from './use-bot-status.ts';

/** Ties a Telegram chat to the account, so that alerts go there and the bot knows who writes. */
export function LinkCard() {
  const { data, error, loading, reload } = useUserQuery(telegramCalls.link, {});
  return (
    <Card title="Linked chat">
      {data === undefined && error === null && <Skeleton className="h-16" />}
      {data === undefined && error !== null && (
        <Problem title="Not available" text={error} onRetry={() => void reload()} busy={loading} className="py-4" />
      )}
      {data !== undefined && (data.linked === null ? <Unlinked /> : <Linked linked={data.linked} />)}
    </Card>
  );
}

function Unlinked() {
  const { data: status } = useBotStatus();
  const saving = useSaving();
  const [code, setCode] = useState<LinkCode | null>(null);
  const now = useAtomValue(serverClockAtom);
  const valid = code !== null && Date.parse(code.expiresAt) > now ? code : null;
  const canLink = status !== undefined && isActive(status);
  return (
    <div className="flex flex-col items-start gap-3 text-sm">
      <p className="text-muted">
        Link a Telegram chat to get your alerts there and to ask the bot about your wallet, rules and tokens.
      </p>
      {valid !== null && <CodeSteps code={valid} now={now} />}
      {code !== null && valid === null && <p role="status">This code has expired. Get a new one.</p>}
      <Button
        variant={valid === null ? 'primary' : 'secondary'}
        busy={saving.busy}
        disabled={!canLink}
        aria-describedby={canLink ? undefined : 'linking-is-off'}
        onClick={() => void saving.run(async () => setCode((await request(telegramCalls.linkCode)).data))}
      >
        {code === null ? 'Get link code' : 'Get a new code'}
      </Button>
      {status !== undefined && !canLink && (
        <p id="linking-is-off" className="text-muted">
          {status.configured ? 'The bot is not connected at the moment.' : 'No Telegram bot is set up on this server.'}
        </p>
      )}
    </div>
  );
}

/** The code is shown until it has expired or the chat is linked, which this page hears of by itself. */
function CodeSteps({ code, now }: { code: LinkCode; now: number }) {
  const left = Math.max(0, Math.ceil((Date.parse(code.expiresAt) - now) / 1000));
  return (
    <div role="status" className="flex w-full flex-col gap-2 rounded-md border border-line-strong p-3">
      <p>
        Send this to the bot in a private chat, within {Math.floor(left / 60)}:{String(left % 60).padStart(2, '0')}:
      </p>
      <CopyAddress address={`/start ${code.code}`} label="link command" full />
      {code.url !== null && (
        <a href={code.url} target="_blank" rel="noreferrer" className={`${buttonClass('secondary', 'sm')} self-start`}>
          Open Telegram with this code
        </a>
      )}
      <p className="text-muted text-xs">Whoever sends it is tied to your account: show it to nobody.</p>
    </div>
  );
}

function Linked({ linked }: { linked: NonNullable<TelegramLink['linked']> }) {
  const store = useStore();
  const userId = useUserId();
  const saving = useSaving();
  const [asking, setAsking] = useState(false);

  function unlink(): void {
    setAsking(false);
    void saving.run(async () => {
      const { data } = await request(telegramCalls.unlink);
      if (userId !== null) {
        applyUserData(store.get(queryClientAtom), userId, { subject: 'telegram', op: 'saved', item: data });
      }
      toast({ title: 'Telegram Updated', description: 'The chat is no longer linked' });
    });
  }

  return (
    <div className="flex flex-col items-start gap-3 text-sm">
      {linked.gone && (
        <Notice tone="warning" title="This chat takes no messages">
          The bot was blocked there, or the chat was deleted. Unblock it and send /start, or link another chat.
        </Notice>
      )}
      <p>
        Linked{linked.username === null ? '' : ` to @${linked.username}`} since{' '}
        <time dateTime={linked.linkedAt}>{utcTime(linked.linkedAt)}</time>
      </p>
      <Button busy={saving.busy} onClick={() => setAsking(true)}>
        Unlink chat
      </Button>
      <Confirm
        open={asking}
        title="Unlink this chat?"
        verb="Unlink chat"
        onCancel={() => setAsking(false)}
        onConfirm={unlink}
      >
        <p>Alerts no longer go there, and the bot no longer answers questions about your account in it.</p>
      </Confirm>
    </div>
  );
}
