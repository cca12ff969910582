import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import type { BotTrading, TradingAccount } from '../../../common/trading/account.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { Switch } from '../../ui/switch.tsx';
import { type BotForm, botForm, botFormSchema } from './settings-values.ts';
import { useSaveTrading } from './use-save.ts';

/** Purchases by the Telegram bot. */
export function BotCard({ account }: { account: TradingAccount }) {
  const form = useForm<BotForm, unknown, BotTrading>({
    resolver: zodResolver(botFormSchema),
    values: botForm(account),
    resetOptions: { keepDirtyValues: true },
  });
  const { pending, run } = useSaveTrading('Bot Saved', () => form.reset(form.getValues()));
  const submit = form.handleSubmit((bot) => run({ bot }));
  return (
    <Card title="Trading by Telegram">
      <form noValidate className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
        <Field
          label="Most per purchase by the bot"
          inputMode="decimal"
          autoComplete="off"
          trailing={<span className="pr-2 text-muted text-xs">SOL</span>}
          hint="In every mode, beside your other limits."
          error={form.formState.errors.max?.message}
          {...form.register('max')}
        />
        <Switch
          label="Real money by the bot"
          hint="Off: the bot buys with play money only. Switching it on needs your password."
          checked={form.watch('live')}
          onChange={(live) => form.setValue('live', live, { shouldDirty: true })}
        />
        <Button type="submit" variant="primary" busy={pending} className="self-start">
          Save Bot
        </Button>
      </form>
    </Card>
  );
}
