import { useState } from 'react';
import { telegramCalls } from '../../common/telegram/http.ts';
import type { LinkCode, TelegramLink } from '../../common/telegram/model.ts';
import { useUserId } from '../auth/session.ts';
import { request } from '../http/client.ts';
import { Loaded } from '../http/loaded.tsx';
import { useMutation } from '../http/use-mutation.ts';
import { serverClockAtom } from '../live/atoms/clock.ts';
import { useUserQuery } from '../live/hooks/use-user-query.ts';
import { queryClientAtom, useAtomValue, useStore } from '../store.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { CopyAddress } from '../ui/copy-address.tsx';
import { utcTime } from '../ui/format.ts';
import { Notice } from '../ui/notice.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { toast } from '../ui/toast-store.ts';
import { applyUserData } from '../users/user-cache.ts';
import { isActive, useBotStatus } from './use-bot-status.ts';

/** Links a Telegram chat to the account, so that alerts are sent there and the bot can identify the user. */
export function LinkCard() {
  const query = useUserQuery(telegramCalls.link, {});
  return (
    <Card title="Linked chat">
      <Loaded query={query} problem="Not available" bare className="py-4" waiting={<Skeleton className="h-16" />}>
        {({ linked }) => (linked === null ? <Unlinked /> : <Linked linked={linked} />)}
      </Loaded>
    </Card>
  );
}

function Unlinked() {
  const { data: status } = useBotStatus();
  const [code, setCode] = useState<LinkCode | null>(null);
  const fetchCode = useMutation(async () => setCode((await request(telegramCalls.linkCode)).data));
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
        busy={fetchCode.pending}
        disabled={!canLink}
        aria-describedby={canLink ? undefined : 'linking-is-off'}
        onClick={() => void fetchCode.run()}
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

/** Instructions for the code, shown until it expires or an event reports the linked chat. */
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
      <p className="text-muted text-xs">Anyone who sends it is linked to your account. Keep it secret.</p>
    </div>
  );
}

function Linked({ linked }: { linked: NonNullable<TelegramLink['linked']> }) {
  const store = useStore();
  const userId = useUserId();
  const [confirming, setConfirming] = useState(false);
  const unlink = useMutation(async () => {
    const { data } = await request(telegramCalls.unlink);
    if (userId !== null) {
      applyUserData(store.get(queryClientAtom), userId, { subject: 'telegram', op: 'saved', item: data });
    }
    toast({ title: 'Telegram Updated', description: 'The chat is no longer linked' });
  });

  return (
    <div className="flex flex-col items-start gap-3 text-sm">
      {linked.gone && (
        <Notice tone="warning" title="This chat receives no messages">
          The bot was blocked there, or the chat was deleted. Unblock it and send /start, or link another chat.
        </Notice>
      )}
      <p>
        Linked{linked.username === null ? '' : ` to @${linked.username}`} since{' '}
        <time dateTime={linked.linkedAt}>{utcTime(linked.linkedAt)}</time>
      </p>
      <Button busy={unlink.pending} onClick={() => setConfirming(true)}>
        Unlink chat
      </Button>
      <Confirm
        open={confirming}
        title="Unlink this chat?"
        verb="Unlink chat"
        onCancel={() => setConfirming(false)}
        onConfirm={() => {
          setConfirming(false);
          void unlink.run();
        }}
      >
        <p>It will receive no more alerts, and the bot will no longer answer questions about your account there.</p>
      </Confirm>
    </div>
  );
}
