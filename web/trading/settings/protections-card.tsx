import { Lock } from 'lucide-react';
import type { UseFormReturn } from 'react-hook-form';
import type { TradingAccount } from '../../../common/trading/account.ts';
import { type LockKind, type LockView, UNKNOWN_ORDERS_MAX } from '../../../common/trading/limits/protections.ts';
import { type ProtectionSwitch, settingLabels } from '../../../common/trading/limits/setting-labels.ts';
import { serverClockAtom } from '../../live/atoms/clock.ts';
import { useAtomValue } from '../../store.ts';
import { Badge } from '../../ui/badge.tsx';
import { Field } from '../../ui/field.tsx';
import { FormCard } from '../../ui/form-card.tsx';
import { age, utcTime } from '../../ui/format.ts';
import { Switch } from '../../ui/switch.tsx';
import { isInForce } from '../locks.ts';
import {
  type ProtectionsChange,
  type ProtectionsForm,
  protectionsForm,
  protectionsFormSchema,
} from './settings-values.ts';
import { useTradingForm } from './use-save.ts';

type FigureName = Exclude<keyof ProtectionsForm, ProtectionSwitch>;

interface Row {
  kind: LockKind;
  name: ProtectionSwitch;
  hint: string;
  /** Shown instead of the hint while it is off, where that is a danger of its own. */
  off?: string;
  figures: readonly { name: FigureName; unit: string }[];
}

const rows: readonly Row[] = [
  {
    kind: 'open-positions',
    name: 'openPositions',
    hint: 'Tokens with an open position. Beyond this number no other token is bought.',
    off: 'Off: up to 100 tokens may have an open position.',
    figures: [{ name: 'maxOpen', unit: '' }],
  },
  {
    kind: 'day-loss',
    name: 'dayLoss',
    hint: 'Realised losses of a day (UTC), after which nothing is bought until midnight.',
    figures: [{ name: 'maxDayLossLamports', unit: 'SOL' }],
  },
  {
    kind: 'cooldown',
    name: 'cooldown',
    hint: 'Least time between two purchases. 0: none.',
    figures: [{ name: 'cooldownMs', unit: 's' }],
  },
  {
    kind: 'stop-loss-guard',
    name: 'stopLossGuard',
    hint: 'After this many sales by stop loss within a time, rules and strategies wait. You can still buy by hand.',
    figures: [
      { name: 'guardStopLosses', unit: '' },
      { name: 'guardWindowMs', unit: 'min' },
      { name: 'guardLockMs', unit: 'min' },
    ],
  },
  {
    kind: 'unknown-orders',
    name: 'unknownOrders',
    hint: `With ${UNKNOWN_ORDERS_MAX} orders whose outcome is unknown, buying waits for the chain.`,
    off: 'Off: buying goes on while the outcome of your last orders is unknown. You may spend more than you see.',
    figures: [],
  },
];

/** Protections that lock buying, each with its switch, its figures, and the lock in force. */
export function ProtectionsCard({ account }: { account: TradingAccount }) {
  const values = protectionsForm(account);
  const { form, pending, submit } = useTradingForm(
    protectionsFormSchema,
    values,
    'Protections Saved',
    (change) => change,
  );
  return (
    <FormCard title="Protections" verb="Save Protections" busy={pending} onSubmit={submit} gap="gap-1">
      <div>
        {rows.map((row) => (
          <ProtectionRow key={row.kind} row={row} form={form} account={account} />
        ))}
      </div>
    </FormCard>
  );
}

function ProtectionRow(props: {
  row: Row;
  form: UseFormReturn<ProtectionsForm, unknown, ProtectionsChange>;
  account: TradingAccount;
}) {
  const { row, form, account } = props;
  const { name, figures, kind } = row;
  const { label } = settingLabels[name];
  const checked = form.watch(name);
  const { errors } = form.formState;
  return (
    <fieldset className="flex min-w-0 flex-col gap-3 border-line border-t py-3 first:border-t-0 first:pt-0">
      <legend className="sr-only">{label}</legend>
      <Switch
        label={label}
        hint={checked ? row.hint : (row.off ?? 'Off.')}
        checked={checked}
        onChange={(next) => form.setValue(name, next, { shouldDirty: true })}
      />
      <LockBadge lock={account.locks.find((lock) => lock.kind === kind)} />
      {figures.length > 0 && (
        <div className="grid grid-cols-2 gap-4 sm:grid-cols-4">
          {figures.map((figure) => (
            <Field
              key={figure.name}
              label={settingLabels[figure.name].label}
              inputMode="decimal"
              autoComplete="off"
              trailing={<span className="pr-2 text-muted text-xs">{figure.unit}</span>}
              error={errors[figure.name]?.message}
              {...form.register(figure.name)}
            />
          ))}
        </div>
      )}
    </fieldset>
  );
}

/** Shows that a protection locks buying, and for how long; renders nothing while it does not. */
function LockBadge({ lock }: { lock: LockView | undefined }) {
  const now = useAtomValue(serverClockAtom);
  if (lock === undefined || !isInForce(lock, now)) return null;
  const { kind, until } = lock;
  const what = kind === 'stop-loss-guard' ? 'Locks automatic buying' : 'Locks buying';
  return (
    <Badge tone="warning" icon={<Lock size={12} strokeWidth={1.75} aria-hidden="true" />} className="self-start">
      {until === null ? what : `${what} until ${utcTime(until).slice(11, 16)} UTC, ${age(now, Date.parse(until))} left`}
    </Badge>
  );
}
