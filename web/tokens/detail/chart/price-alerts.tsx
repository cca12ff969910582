import { BellPlus, X } from 'lucide-react';
import { type SyntheticEvent, useMemo, useState } from 'react';
import { targetText } from '../../../../common/alerts/cause.ts';
import {
  type AlertChannels,
  type AlertTarget,
  alertTargetSchema,
  defaultChannels,
  type TargetAlert,
} from '../../../../common/alerts/rules/model.ts';
import type { TokenDetail } from '../../../../common/tokens/model.ts';
import { ChannelFields } from '../../../alert-rules/channel-fields.tsx';
import { useAlertRuleChanges, useAlertRules } from '../../../alert-rules/use-alert-rules.ts';
import { errorText } from '../../../http/error.ts';
import { useMutation } from '../../../http/use-mutation.ts';
import { Button } from '../../../ui/button.tsx';
import { FormDialog } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { price as priceText } from '../../../ui/format.ts';
import { SelectField } from '../../../ui/select.tsx';
import type { PriceLine } from './canvas/lines.ts';
import { supplyOf } from './price-view.ts';

type Unit = AlertTarget['unit'];
/** What the dialog begins with; the value is null when it was opened by its button. */
export interface Picked {
  unit: Unit;
  value: number | null;
}

/** Digits of a value that was picked on the axis. */
const PICKED_DIGITS = 3;

/** Returns the user's alerts at prices of a coin. */
export function usePriceAlerts(address: string): readonly TargetAlert[] {
  const { data } = useAlertRules();
  return useMemo(
    () => (data ?? []).flatMap((rule) => (rule.kind === 'target' && rule.address === address ? [rule] : [])),
    [data, address],
  );
}

/** Returns the lines of alerts at prices; none for a market cap while supply or rate is unknown. */
export function alertLines(
  alerts: readonly TargetAlert[],
  token: Pick<TokenDetail, 'totalSupply' | 'decimals' | 'solUsd'>,
) {
  const dollars = (supplyOf(token) ?? 0) * (token.solUsd?.rate ?? 0);
  return alerts.flatMap(({ id, target }): PriceLine[] => {
    const price = target.unit === 'price' ? target.value : target.value / dollars;
    return Number.isFinite(price) ? [{ id, kind: 'alert', price, title: 'alert', positionId: null }] : [];
  });
}

/** Lists the user's alerts at prices of a coin, with buttons that delete them and one that sets a further one. */
export function PriceAlerts({ alerts, onNew }: { alerts: readonly TargetAlert[]; onNew: () => void }) {
  return (
    <fieldset className="mt-2 flex min-w-0 flex-wrap items-center gap-1.5">
      <legend className="sr-only">Price alerts</legend>
      {alerts.map((alert) => (
        <AlertChip key={alert.id} alert={alert} />
      ))}
      <Button size="sm" variant="ghost" title="Or click the axis of prices" onClick={onNew}>
        <BellPlus size={14} strokeWidth={1.75} aria-hidden="true" />
        Price alert
      </Button>
    </fieldset>
  );
}

function AlertChip({ alert: { id, target, direction } }: { alert: TargetAlert }) {
  const { remove } = useAlertRuleChanges();
  const removing = useMutation(() => remove(id));
  const text = target.unit === 'price' ? `${priceText(target.value)} SOL` : targetText(target);
  return (
    <span className="inline-flex h-7 items-center gap-1 rounded-full border border-line-strong pr-0.5 pl-2.5 text-xs tabular-nums">
      <span aria-hidden="true" className={direction === 'up' ? 'text-up' : 'text-down'}>
        {direction === 'up' ? '▲' : '▼'}
      </span>
      <span className="sr-only">{direction === 'up' ? 'Rises to' : 'Falls to'}</span>
      {text}
      <button
        type="button"
        aria-label={`Delete the alert at ${text}`}
        title="Delete"
        aria-busy={removing.pending}
        onClick={() => void removing.run()}
        className="grid size-6 place-items-center rounded-full text-muted hover:bg-text/8 hover:text-text"
      >
        <X size={14} strokeWidth={1.75} aria-hidden="true" />
      </button>
    </span>
  );
}

const units = [
  { value: 'market-cap', label: 'Market cap, $' },
  { value: 'price', label: 'Price, SOL' },
] as const;

/** Sets an alert at a price or market cap of a coin. */
export function PriceAlertDialog(props: { address: string; picked: Picked; onClose: () => void }) {
  const { address, picked, onClose } = props;
  const { createAtPrice } = useAlertRuleChanges();
  const [unit, setUnit] = useState(picked.unit);
  const [text, setText] = useState(picked.value === null ? '' : plain(picked.value));
  const [channels, setChannels] = useState<AlertChannels>(defaultChannels);
  const [error, setError] = useState<string>();
  const saving = useMutation(
    async (target: AlertTarget) => {
      await createAtPrice({ address, target, channels });
      onClose();
    },
    (reason) => setError(errorText(reason)),
  );

  async function submit(event: SyntheticEvent): Promise<void> {
    event.preventDefault();
    const target = alertTargetSchema.safeParse({ unit, value: typedValue(text) });
    setError(target.success ? undefined : 'Please enter a number above 0, such as 50K or 0.5.');
    if (target.success) await saving.run(target.data);
  }

  return (
    <FormDialog
      title="New Price Alert"
      description="It fires once, by the first trade that reaches it."
      verb="Set Alert"
      busy={saving.pending}
      onClose={onClose}
      onSubmit={submit}
    >
      <SelectField label="Of" value={unit} options={units} onChange={setUnit} />
      <Field
        label="At"
        inputMode="decimal"
        value={text}
        onChange={(event) => setText(event.target.value)}
        autoComplete="off"
        data-autofocus=""
        error={error}
      />
      <ChannelFields value={channels} onChange={setChannels} />
    </FormDialog>
  );
}

/** Returns a value rounded to the digits of a click, without an exponent. */
function plain(value: number): string {
  return Number(value.toPrecision(PICKED_DIGITS)).toLocaleString('en-US', {
    ...{ useGrouping: false, maximumFractionDigits: 15 },
  });
}

const factors = new Map([
  ['K', 1e3],
  ['M', 1e6],
  ['B', 1e9],
]);

/** `50,000` may be fifty or fifty thousand. */
const AMBIGUOUS = /[1-9]\d*,\d{3}\D*$/;

/** Returns the number of a text such as `50K` or `0,5`; null for any other. */
function typedValue(text: string): number | null {
  if (AMBIGUOUS.test(text)) return null;
  const [, digits, suffix = ''] =
    /^\$?\s*(\d{1,15}(?:\.\d{1,15})?)\s*([KMB]?)$/i.exec(text.trim().replace(',', '.')) ?? [];
  return digits === undefined ? null : Number(digits) * (factors.get(suffix.toUpperCase()) ?? 1);
}
