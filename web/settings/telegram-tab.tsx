import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { telegramUsernameSchema } from '../../common/settings/model.ts';
import { serverFieldErrors } from '../http/error.ts';
import { toastError, useMutation } from '../http/use-mutation.ts';
import { BotButton, useBotAddress } from '../telegram/bot-link.tsx';
import { LinkCard } from '../telegram/link-card.tsx';
import { useBotStatus } from '../telegram/use-bot-status.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Field } from '../ui/field.tsx';
import { toast } from '../ui/toast-store.ts';
import { useSaveSettings } from './use-settings.ts';

const telegramSchema = z.object({ telegramUsername: telegramUsernameSchema });

/** `username`: as stored, without the @; null when there is none. */
export function useTelegramForm(username: string | null) {
  return useForm({
    resolver: zodResolver(telegramSchema),
    values: { telegramUsername: withAt(username) },
    resetOptions: { keepDirtyValues: true },
  });
}

function withAt(username: string | null): string {
  return username === null ? '' : `@${username}`;
}

/** The user's name on Telegram, the linked chat, and a link to the bot. */
export function TelegramTab({ form }: { form: ReturnType<typeof useTelegramForm> }) {
  const save = useSaveSettings();
  const { pending, run } = useMutation(
    async (telegramUsername: string) => {
      await save({ telegramUsername });
      form.reset({ telegramUsername: withAt(telegramUsername) });
      toast({ title: 'Telegram Updated', description: 'Your Telegram username has been updated' });
    },
    (reason) => {
      const [error] = serverFieldErrors(reason, ['telegramUsername']);
      if (error === undefined) toastError(reason);
      else form.setError(error[0], { message: error[1] });
    },
  );
  const submit = form.handleSubmit(({ telegramUsername }) => run(telegramUsername));
  return (
    <div className="flex flex-col gap-3">
      <Card title="Telegram" actions={<BotLink />}>
        <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
          <Field
            label="Telegram username"
            placeholder="@yourusername"
            hint="Your username on Telegram. Alerts are sent to the chat linked below."
            error={form.formState.errors.telegramUsername?.message}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            {...form.register('telegramUsername')}
          />
          <Button type="submit" variant="primary" busy={pending} className="self-start">
            Save Telegram Settings
          </Button>
        </form>
      </Card>
      <LinkCard />
    </div>
  );
}

/** A link that opens the bot in Telegram, or a note when the bot is missing or not connected. */
function BotLink() {
  const { data: status, fetched } = useBotStatus();
  const address = useBotAddress();
  if (!fetched) return null;
  if (address === null) {
    // A configured bot has no known name until Telegram responds.
    const note = status?.configured
      ? 'The bot is not connected at the moment.'
      : 'No Telegram bot is set up on this server.';
    return <p className="text-muted text-xs">{note}</p>;
  }
  return <BotButton label="Start the bot" />;
}
