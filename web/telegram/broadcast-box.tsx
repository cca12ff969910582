import { type FormEvent, type KeyboardEvent, useState } from 'react';
import { telegramCalls } from '../../common/telegram/http.ts';
import { BROADCAST_EMPTY, type BroadcastResult } from '../../common/telegram/model.ts';
import { request } from '../http/client.ts';
import { HttpError } from '../http/error.ts';
import { runOf, useRuns } from '../maintenance/use-runs.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { TextAreaField } from '../ui/field.tsx';
import { count } from '../ui/format.ts';
import { toast } from '../ui/toast-store.ts';
import type { DetailedStatus } from './detailed-status.ts';

/** A message to every linked chat. What was typed stays until it was sent to all. */
export function BroadcastBox({ status }: { status: DetailedStatus }) {
  const [text, setText] = useState('');
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const run = runOf(useRuns().data, 'broadcast');
  const running = run?.state === 'running';

  function ask(event: FormEvent): void {
    event.preventDefault();
    // The keys send a form whose button is off.
    if (!status.connected || busy || running) return;
    if (text.trim() === '') toast({ title: 'Message required', description: BROADCAST_EMPTY, variant: 'destructive' });
    else setAsking(true);
  }

  async function send(): Promise<void> {
    setAsking(false);
    setBusy(true);
    try {
      const { data } = await request(telegramCalls.broadcast, { body: { message: text } });
      tell(data);
      if (data.failedCount === 0) setText('');
    } catch (reason) {
      const description = reason instanceof HttpError ? reason.message : 'Something went wrong.';
      toast({ title: 'Failed to send message', description, variant: 'destructive' });
    } finally {
      setBusy(false);
    }
  }

  return (
    <Card title="Send Test Message">
      <form noValidate onSubmit={ask} className="flex flex-col gap-3">
        <TextAreaField
          label="Message"
          hint={
            status.connected
              ? `Goes to all ${count(status.activeUserCount)} linked chats.`
              : 'The bot is not connected, so nothing can be sent.'
          }
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={sendByKeys}
        />
        <Button
          type="submit"
          variant="primary"
          busy={busy || running}
          disabled={text === '' || !status.connected}
          className="self-start"
        >
          Send Message
        </Button>
        {running && (
          <p role="status" className="text-muted text-sm tabular-nums">
            {run.total === null ? 'Sending …' : `${count(run.done)} of ${count(run.total)} chats done`}
          </p>
        )}
      </form>
      <Confirm
        open={asking}
        title="Send to everybody?"
        verb="Send Message"
        onCancel={() => setAsking(false)}
        onConfirm={() => void send()}
      >
        <p>Each of the {count(status.activeUserCount)} linked chats gets this message. It cannot be taken back.</p>
        <p className="mt-2 max-h-40 overflow-y-auto whitespace-pre-wrap break-words border-line border-l-2 pl-3 text-text">
          {text.trim()}
        </p>
      </Confirm>
    </Card>
  );
}

/** Ctrl or Cmd with Enter sends, for Enter alone makes a new line. */
function sendByKeys(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}

function tell({ success, sentCount, failedCount, errors }: BroadcastResult): void {
  if (failedCount === 0 && success) {
    toast({ title: 'Message sent successfully', description: `Sent to ${count(sentCount)} chats.` });
    return;
  }
  if (failedCount === 0) {
    toast({
      title: 'Failed to send message',
      description: errors[0] ?? 'No chat is linked.',
      variant: 'destructive',
    });
    return;
  }
  toast({
    title: 'Broadcast partially failed',
    description: `Sent: ${count(sentCount)}, failed: ${count(failedCount)}. ${errors[0] ?? ''}`.trim(),
    variant: 'destructive',
  });
}
