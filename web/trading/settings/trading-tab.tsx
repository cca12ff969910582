import type { TradingAccount } from '../../../common/trading/account.ts';
import { reason, reasonText } from '../../../common/trading/reasons.ts';
import { Loaded } from '../../http/loaded.tsx';
import { Field } from '../../ui/field.tsx';
import { FormCard } from '../../ui/form-card.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Switch } from '../../ui/switch.tsx';
import { useAccountQuery, useTradingAccount } from '../state/trading.ts';
import { DefaultsCard } from './defaults-card.tsx';
import { LimitsCard } from './limits-card.tsx';
import { ModeCard } from './mode-card.tsx';
import { PresetsCard } from './presets-card.tsx';
import { ProtectionsCard } from './protections-card.tsx';
import { botForm, botFormSchema } from './settings-values.ts';
import { useTradingForm } from './use-save.ts';

/** Mode, presets, limits, protections and exits of the user's trading. */
export function TradingTab() {
  const query = { data: useTradingAccount() ?? undefined, ...useAccountQuery() };
  return (
    <Loaded
      query={query}
      problem="Trading settings could not be loaded"
      waiting={<Skeleton className="h-64 rounded-lg" />}
    >
      {(account) => <TradingSettings account={account} />}
    </Loaded>
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
      <PresetsCard account={account} />
      <LimitsCard account={account} />
      <ProtectionsCard account={account} />
      <DefaultsCard account={account} />
      <BotCard account={account} />
    </div>
  );
}

/** Purchases by the Telegram bot. */
function BotCard({ account }: { account: TradingAccount }) {
  const values = botForm(account);
  const { form, pending, submit } = useTradingForm(botFormSchema, values, 'Bot Saved', (bot) => ({ bot }));
  return (
    <FormCard title="Trading by Telegram" verb="Save Bot" busy={pending} onSubmit={submit}>
      <Field
        label="Most per purchase by the bot"
        inputMode="decimal"
        autoComplete="off"
        trailing={<span className="pr-2 text-muted text-xs">SOL</span>}
        hint="The network fee, the priority fee and the tip count. In every mode, beside your other limits."
        error={form.formState.errors.maxLamports?.message}
        {...form.register('maxLamports')}
      />
      <Switch
        label="Real money by the bot"
        hint="Off: the bot buys with play money only. Switching it on needs your password."
        checked={form.watch('live')}
        onChange={(live) => form.setValue('live', live, { shouldDirty: true })}
      />
    </FormCard>
  );
}
