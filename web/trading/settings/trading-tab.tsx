import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import type { BotTrading, TradingAccount } from '../../../common/trading/account.ts';
import { reason, reasonText } from '../../../common/trading/reasons.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Switch } from '../../ui/switch.tsx';
import { useAccountQuery, useTradingAccount } from '../state/trading.ts';
import { DefaultsCard } from './defaults-card.tsx';
import { LimitsCard } from './limits-card.tsx';
import { ModeCard } from './mode-card.tsx';
import { ProtectionsCard } from './protections-card.tsx';
import { type BotForm, botForm, botFormSchema } from './settings-values.ts';
import { useSaveTrading } from './use-save.ts';

/** Mode, limits, protections, presets, exits and costs of the user's trading. */
export function TradingTab() {
  const account = useTradingAccount();
  const { error, loading, reload } = useAccountQuery();
  if (account !== null) return <TradingSettings account={account} />;
  if (error === null) return <Skeleton className="h-64 rounded-lg" />;
  return (
    <Card flush>
      <Problem title="Trading settings could not be loaded" text={error} onRetry={reload} busy={loading} />
    </Card>
  );
}

function TradingSettings({ account }: { account: TradingAccount }) {
  return (
    <div className="flex flex-col gap-3">
      {account.mode === null ? (
        <Notice tone="info">{reasonText(reason('trading-off'))} What you set here counts once it is on.</Notice>
      ) : (
        <ModeCard account={account} mode={account.mode} />
      )}
      <LimitsCard account={account} />
      <ProtectionsCard account={account} />
      <DefaultsCard account={account} />
      <BotCard account={account} />
    </div>
  );
}

/** Purchases by the Telegram bot. */
function BotCard({ account }: { account: TradingAccount }) {
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
