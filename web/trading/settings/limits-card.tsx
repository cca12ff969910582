import type { TradingAccount } from '../../../common/trading/account.ts';
import { settingLabels } from '../../../common/trading/limits/setting-labels.ts';
import { Field } from '../../ui/field.tsx';
import { FormCard } from '../../ui/form-card.tsx';
import { exactSol } from '../format.ts';
import { type LimitsForm, limitsForm, limitsFormSchema } from './settings-values.ts';
import { useTradingForm } from './use-save.ts';

const fields: readonly { name: keyof LimitsForm; hint: string }[] = [
  { name: 'perTradeLamports', hint: 'Everything that may leave your wallet by one purchase.' },
  { name: 'perDayLamports', hint: 'For all purchases of a day (UTC).' },
  { name: 'priorityMaxLamports', hint: 'Per transaction. Presets may pay less, and no more.' },
  { name: 'tipLamports', hint: 'Per transaction. Rules, strategies and exits pay all of it, presets up to it.' },
];

/** Limits of purchases. One beyond a limit is refused before anything is signed. */
export function LimitsCard({ account }: { account: TradingAccount }) {
  const values = limitsForm(account);
  const { form, pending, submit } = useTradingForm(limitsFormSchema, values, 'Limits Saved', (limits) => ({ limits }));
  const { errors } = form.formState;
  return (
    <FormCard title="Limits" verb="Save Limits" busy={pending} onSubmit={submit}>
      <div className="grid gap-4 sm:grid-cols-2">
        {fields.map(({ name, hint }) => (
          <Field
            key={name}
            label={settingLabels[name].label}
            inputMode="decimal"
            autoComplete="off"
            trailing={<span className="pr-2 text-muted text-xs">SOL</span>}
            hint={hint}
            error={errors[name]?.message}
            {...form.register(name)}
          />
        ))}
      </div>
      {account.budget !== null && (
        <p className="text-muted text-sm tabular-nums">
          Today {exactSol(account.budget.leftLamports)} SOL are left
          {account.budget.reservedLamports > 0 &&
            `; ${exactSol(account.budget.reservedLamports)} SOL are reserved by orders`}
          .
        </p>
      )}
    </FormCard>
  );
}
