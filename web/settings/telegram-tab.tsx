import { type FormEvent, useState } from 'react';
import { telegramUsernameSchema } from '../../common/settings/model.ts';
import { useClientConfig } from '../chain/config.ts';
import { HttpError } from '../http/error.ts';
import { BotButton, useBotAddress } from '../telegram/bot-link.tsx';
import { LinkCard } from '../telegram/link-card.tsx';
import { useBotStatus } from '../telegram/use-bot-status.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Field } from '../ui/field.tsx';
import { toast } from '../ui/toast-store.ts';
import { useSaving } from '../users/use-saving.ts';
import { useSaveSettings } from './use-settings.ts';

/** Who the user is on Telegram, and the way to the bot. */
export function TelegramTab({
  username,
  draft,
  onDraft,
}: {
  /** As stored, without the @. */
  username: string | null;
  draft: string | null;
  onDraft: (draft: string | null) => void;
}) {
  const save = useSaveSettings();
  const saving = useSaving();
  const [error, setError] = useState<string>();
  const value = draft ?? (username === null ? '' : `@${username}`);

  function submit(event: FormEvent): void {
    event.preventDefault();
    const parsed = telegramUsernameSchema.safeParse(value);
    setError(parsed.success ? undefined : parsed.error.issues[0]?.message);
    if (!parsed.success) return;
    void saving.run(
      async () => {
        await save({ telegramUsername: parsed.data });
        onDraft(null);
        toast({ title: 'Telegram Updated', description: 'Your Telegram username has been updated' });
      },
      (reason) => {
        const told = reason instanceof HttpError ? reason.details.telegramUsername?.[0] : undefined;
        if (told === undefined) return false;
        setError(told);
        return true;
      },
    );
  }

  return (
    <div className="flex flex-col gap-3">
      <Card title="Telegram" actions={<BotLink />}>
        <form noValidate onSubmit={submit} className="flex flex-col gap-4">
          <Field
            label="Telegram username"
            placeholder="@yourusername"
            hint="How you are called there. Alerts go to the chat that is linked below."
            error={error}
            value={value}
            onChange={(event) => {
              onDraft(event.target.value);
              setError(undefined);
            }}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
          <Button type="submit" variant="primary" busy={saving.busy} className="self-start">
            Save Telegram Settings
          </Button>
        </form>
      </Card>
      <LinkCard />
    </div>
  );
}

/** Opens the bot in Telegram. A server without a bot says so instead. */
function BotLink() {
  const { config } = useClientConfig();
  const { data: status } = useBotStatus();
  const address = useBotAddress();
  if (config === undefined && address === null) return null;
  if (address === null) {
    // Before Telegram has said what the bot is called, there is one nevertheless.
    const why = status?.configured
      ? 'The bot is not connected at the moment.'
      : 'No Telegram bot is set up on this server.';
    return <p className="text-muted text-xs">{why}</p>;
  }
  return <BotButton label="Start the bot" />;
}
