import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import type { TradingAccount } from '../../../common/trading/account.ts';
import { settingLabels } from '../../../common/trading/limits/setting-labels.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { exactSol } from '../format.ts';
import { type LimitsChange, type LimitsForm, limitsForm, limitsFormSchema } from './settings-values.ts';
import { useSaveTrading } from './use-save.ts';

const fields: readonly { name: keyof LimitsForm; label: string; unit: string; hint: string }[] = [
  {
    name: 'perTrade',
    label: settingLabels.perTradeLamports.label,
    unit: 'SOL',
    hint: 'Everything that may leave your wallet by one purchase.',
  },
  { name: 'perDay', label: settingLabels.perDayLamports.label, unit: 'SOL', hint: 'For all purchases of a day (UTC).' },
  {
    name: 'priorityMax',
    label: settingLabels.priorityMaxLamports.label,
    unit: 'SOL',
    hint: 'Per transaction, so that a block takes it sooner.',
  },
  {
    name: 'tip',
    label: settingLabels.tipLamports.label,
    unit: 'SOL',
    hint: 'A tip is only paid when the transaction lands.',
  },
];

/** Limits of purchases. One beyond a limit is refused before anything is signed. */
export function LimitsCard({ account }: { account: TradingAccount }) {
  const form = useForm<LimitsForm, unknown, LimitsChange>({
    resolver: zodResolver(limitsFormSchema),
    values: limitsForm(account),
    resetOptions: { keepDirtyValues: true },
  });
  const { pending, run } = useSaveTrading('Limits Saved', () => form.reset(form.getValues()));
  const submit = form.handleSubmit((limits) => run({ limits }));
  const { errors } = form.formState;
  return (
    <Card title="Limits">
      <form noValidate className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
        <div className="grid gap-4 sm:grid-cols-2">
          {fields.map(({ name, label, unit, hint }) => (
            <Field
              key={name}
              label={label}
              inputMode="decimal"
              autoComplete="off"
              trailing={<span className="pr-2 text-muted text-xs">{unit}</span>}
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
        <Button type="submit" variant="primary" busy={pending} className="self-start">
          Save Limits
        </Button>
      </form>
    </Card>
  );
}
