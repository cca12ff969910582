import { useMemo } from 'react';
import { FormProvider, type UseFormReturn, useFormContext } from 'react-hook-form';
import { presetIndexes, presetNames, type TradingAccount } from '../../../common/trading/account.ts';
import type { OrderSide } from '../../../common/trading/machine.ts';
import { Field } from '../../ui/field.tsx';
import { FormCard } from '../../ui/form-card.tsx';
import { type PresetsForm, presetsForm, presetsFormSchema } from './settings-values.ts';
import { useTradingForm } from './use-save.ts';

const PROTECTION =
  "Protected: Jito's block engine takes the transaction only when no other one of its bundle comes first. It counts on mainnet, in blocks of validators with Jito.";

/** The presets that buttons, the trade panel and the bot trade by. */
export function PresetsCard({ account }: { account: TradingAccount }) {
  const { limits } = account;
  const schema = useMemo(() => presetsFormSchema({ limits }), [limits]);
  const { form, pending, submit } = useTradingForm(schema, presetsForm(account), 'Presets Saved', (presets) => ({
    presets,
  }));
  return (
    <FormCard title="Presets" verb="Save Presets" busy={pending} onSubmit={submit}>
      <p className="text-muted text-sm">
        Each trades with its own amount, slippage and fees: in the rows, in the trade panel and by the bot.
      </p>
      <FormProvider {...form}>
        {presetIndexes.map((at) => (
          <PresetFields key={at} side="buy" at={at} />
        ))}
        {presetIndexes.map((at) => (
          <PresetFields key={at} side="sell" at={at} />
        ))}
      </FormProvider>
      <p className="text-faint text-xs">{PROTECTION}</p>
    </FormCard>
  );
}

const decimal = { inputMode: 'decimal', autoComplete: 'off' } as const;

function PresetFields({ side, at }: { side: OrderSide; at: (typeof presetIndexes)[number] }) {
  const { register, formState }: UseFormReturn<PresetsForm> = useFormContext<PresetsForm>();
  const errors = formState.errors[side]?.[at];
  const amount = side === 'buy' ? formState.errors.buy?.[at]?.lamports : formState.errors.sell?.[at]?.sharePercent;
  return (
    <fieldset className="border-line border-t pt-3">
      <legend className="float-left mb-2 w-full font-medium text-sm">
        {side === 'buy' ? 'Buy' : 'Sell'} {presetNames[at]}
      </legend>
      <div className="clear-left grid grid-cols-2 items-start gap-x-3 gap-y-2 sm:grid-cols-5">
        <Field
          label={side === 'buy' ? 'Amount (SOL)' : 'Share (%)'}
          {...decimal}
          error={amount?.message}
          {...register(side === 'buy' ? `buy.${at}.lamports` : `sell.${at}.sharePercent`)}
        />
        <Field
          label="Slippage (%)"
          {...decimal}
          error={errors?.slippageBps?.message}
          {...register(`${side}.${at}.slippageBps`)}
        />
        <Field
          label="Priority, at most (SOL)"
          {...decimal}
          error={errors?.priorityMaxLamports?.message}
          {...register(`${side}.${at}.priorityMaxLamports`)}
        />
        <Field
          label="Tip (SOL)"
          {...decimal}
          error={errors?.tipLamports?.message}
          {...register(`${side}.${at}.tipLamports`)}
        />
        <label className="flex h-9 items-center gap-2 self-end text-sm">
          <input type="checkbox" className="size-4 accent-accent" {...register(`${side}.${at}.isProtected`)} />
          Protected
        </label>
      </div>
    </fieldset>
  );
}
