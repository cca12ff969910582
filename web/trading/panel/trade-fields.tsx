import type { TradingAccount } from '../../../common/trading/account.ts';
import { type Reason, reasonText } from '../../../common/trading/reasons.ts';
import { classNames } from '../../ui/class-names.ts';
import { Field } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { exactSol } from '../format.ts';
import type { TradeForm } from './use-trade-form.ts';

/** The inputs of a trade; for a coin that can't be bought, the reason in their place. */
export function TradeFields(props: { form: TradeForm; account: TradingAccount; closed: Reason | null }) {
  const { form, account, closed } = props;
  if (closed !== null) return <Notice tone="info">{reasonText(closed)}</Notice>;
  return form.side === 'buy' ? (
    <BuyFields form={form} account={account} />
  ) : (
    <SellFields form={form} account={account} />
  );
}

function BuyFields({ form, account }: { form: TradeForm; account: TradingAccount }) {
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)_112px] gap-2">
        <Field
          label="Amount (SOL)"
          inputMode="decimal"
          autoComplete="off"
          value={form.amount}
          onChange={(event) => form.setAmount(event.target.value)}
          error={form.amountError ?? undefined}
        />
        <SlippageField form={form} />
      </div>
      <Presets
        label="Amounts"
        presets={account.defaults.buyPresets.map((lamports) => ({
          value: exactSol(lamports),
          label: exactSol(lamports),
        }))}
        chosen={form.amount}
        onChoose={form.setAmount}
      />
    </>
  );
}

function SellFields({ form, account }: { form: TradeForm; account: TradingAccount }) {
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)_112px] gap-2">
        <Field
          label="Share of your tokens (%)"
          inputMode="numeric"
          autoComplete="off"
          value={form.share}
          onChange={(event) => form.setShare(event.target.value)}
          error={form.amountError ?? undefined}
        />
        <SlippageField form={form} />
      </div>
      <Presets
        label="Shares"
        presets={account.defaults.sellPresets.map((percent) => ({ value: String(percent), label: `${percent} %` }))}
        chosen={form.share}
        onChoose={form.setShare}
      />
    </>
  );
}

function SlippageField({ form }: { form: TradeForm }) {
  return (
    <Field
      label="Slippage (%)"
      inputMode="decimal"
      autoComplete="off"
      value={form.slippage}
      onChange={(event) => form.setSlippage(event.target.value)}
      error={form.slippageError ?? undefined}
      title="The worst average price against the present one, your own impact included, fees apart."
    />
  );
}

function Presets(props: {
  label: string;
  presets: readonly { value: string; label: string }[];
  chosen: string;
  onChoose: (value: string) => void;
}) {
  return (
    <fieldset className="flex gap-1.5">
      <legend className="sr-only">{props.label}</legend>
      {props.presets.map(({ value, label }) => (
        <button
          key={value}
          type="button"
          aria-pressed={props.chosen === value}
          onClick={() => props.onChoose(value)}
          className={classNames(
            'h-7 min-w-0 flex-1 rounded-md border font-medium text-xs tabular-nums transition-colors',
            props.chosen === value
              ? 'border-accent/50 bg-accent/10 text-accent'
              : 'border-line-strong text-muted hover:text-text',
          )}
        >
          {label}
        </button>
      ))}
    </fieldset>
  );
}
