import { zodResolver } from '@hookform/resolvers/zod';
import { type KeyboardEvent, useState } from 'react';
import { useForm } from 'react-hook-form';
import { counted } from '../../common/counted.ts';
import { telegramCalls } from '../../common/telegram/http.ts';
import { BROADCAST_EMPTY, type BroadcastResult } from '../../common/telegram/model.ts';
import { request } from '../http/client.ts';
import { errorText } from '../http/error.ts';
import { useMutation } from '../http/use-mutation.ts';
import { runOf, useRuns } from '../maintenance/use-runs.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { TextAreaField } from '../ui/field.tsx';
import { count } from '../ui/format.ts';
import { toast } from '../ui/toast-store.ts';
import type { DetailedStatus } from './use-bot-status.ts';

/** A message to every linked chat. The text stays until every chat has received it. */
export function BroadcastBox({ status: { connected, activeUserCount } }: { status: DetailedStatus }) {
  const form = useForm({ resolver: zodResolver(telegramCalls.broadcast.body), defaultValues: { message: '' } });
  const [confirming, setConfirming] = useState<string | null>(null);
  const { pending, run: send } = useMutation(
    async (message: string) => {
      const { data } = await request(telegramCalls.broadcast, { body: { message } });
      toastResult(data);
      if (data.failedCount === 0) form.reset();
    },
    (reason) => {
      const description = errorText(reason, 'Something went wrong.');
      toast({ title: 'Failed to send message', description, variant: 'destructive' });
    },
  );
  const broadcast = runOf(useRuns().data, 'broadcast');
  const running = broadcast?.state === 'running' ? broadcast : null;
  const canSend = connected && !pending && running === null;
  const submit = form.handleSubmit(({ message }) => setConfirming(message), toastEmpty);
  return (
    <Card title="Send Test Message">
      <form
        noValidate
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          // The keyboard shortcut submits even while the button is disabled.
          if (canSend) void submit();
        }}
      >
        <TextAreaField
          label="Message"
          hint={
            connected
              ? activeUserCount === 1
                ? 'Goes to 1 linked chat.'
                : `Goes to all ${count(activeUserCount)} linked chats.`
              : 'The bot is not connected, so nothing can be sent.'
          }
          error={form.formState.errors.message?.message}
          onKeyDown={submitOnShortcut}
          {...form.register('message')}
        />
        <Button
          type="submit"
          variant="primary"
          busy={pending || running !== null}
          disabled={form.watch('message') === '' || !connected}
          className="self-start"
        >
          Send Message
        </Button>
        {running !== null && (
          <p role="status" className="text-muted text-sm tabular-nums">
            {running.total === null ? 'Sending …' : `${count(running.done)} of ${count(running.total)} chats done`}
          </p>
        )}
      </form>
      <Confirm
        open={confirming !== null}
        title="Send to all users?"
        verb="Send Message"
        onCancel={() => setConfirming(null)}
        onConfirm={() => {
          setConfirming(null);
          void send(confirming ?? '');
        }}
      >
        <p>
          {activeUserCount === 1 ? '1 linked chat' : `Each of the ${count(activeUserCount)} linked chats`} receives this
          message. This can't be undone.
        </p>
        <p className="mt-2 max-h-40 overflow-y-auto whitespace-pre-wrap break-words border-line border-l-2 pl-3 text-text">
          {confirming}
        </p>
      </Confirm>
    </Card>
  );
}

/** Submits by Ctrl or Cmd with Enter, since Enter alone starts a new line. */
function submitOnShortcut(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}

function toastEmpty(errors: { message?: { message?: string | undefined } }): void {
  if (errors.message?.message !== BROADCAST_EMPTY) return;
  toast({ title: 'Message required', description: BROADCAST_EMPTY, variant: 'destructive' });
}

function toastResult({ success, sentCount, failedCount, errors }: BroadcastResult): void {
  if (failedCount === 0 && success) {
    toast({
      title: 'Message sent successfully',
      description: `Sent to ${counted(sentCount, 'chat')}.`,
    });
    return;
  }
  if (failedCount === 0) {
    toast({ title: 'Failed to send message', description: errors[0] ?? 'No chat is linked.', variant: 'destructive' });
    return;
  }
  toast({
    title: 'Broadcast partially failed',
    description: `Sent: ${count(sentCount)}, failed: ${count(failedCount)}. ${errors[0] ?? ''}`.trim(),
    variant: 'destructive',
  });
}
