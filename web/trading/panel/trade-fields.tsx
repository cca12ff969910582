import { Link } from 'wouter';
import { LAMPORTS_PER_SOL } from '../../../common/tokens/units.ts';
import { presetIndexes, presetNames, type TradingAccount } from '../../../common/trading/account.ts';
import { type Reason, reasonText } from '../../../common/trading/reasons.ts';
import { feesText, termsText } from '../../../common/trading/text.ts';
import { rateAtom } from '../../live/atoms/unit.ts';
import { useAtomValue } from '../../store.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Field } from '../../ui/field.tsx';
import { MISSING, usd } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { exactSol, gainSol } from '../format.ts';
import type { KnownMoney } from './use-quote.ts';
import type { TradeForm } from './use-trade-form.ts';

/** The inputs of a trade; for a coin that can't be bought, the reason in their place. */
export function TradeFields(props: {
  form: TradeForm;
  account: TradingAccount;
  money: KnownMoney;
  closed: Reason | null;
}) {
  const { form, account, money, closed } = props;
  if (closed !== null) return <Notice tone="info">{reasonText(closed)}</Notice>;
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)_112px] items-start gap-2">
        {form.side === 'buy' ? <AmountField form={form} money={money} /> : <ShareField form={form} />}
        <Field
          label="Slippage (%)"
          inputMode="decimal"
          autoComplete="off"
          value={form.slippage}
          onChange={(event) => form.setSlippage(event.target.value)}
          error={form.slippageError ?? undefined}
          title="The worst average price against the present one, your own impact included, fees apart."
        />
      </div>
      <Presets form={form} account={account} />
    </>
  );
}

/** Returns the function that formats lamports as '$14.70'; null without a rate. */
function useDollars(): (lamports: number) => string | null {
  const rate = useAtomValue(rateAtom);
  return (lamports) => (rate === null ? null : usd((lamports / LAMPORTS_PER_SOL) * rate));
}

function AmountField({ form, money }: { form: TradeForm; money: KnownMoney }) {
  const dollars = useDollars();
  const { mostLamports, walletLamports } = money;
  const inDollars = form.ask?.lamports === undefined ? null : dollars(form.ask.lamports);
  return (
    <Field
      label="Amount (SOL)"
      inputMode="decimal"
      autoComplete="off"
      value={form.size}
      onChange={(event) => form.setSize(event.target.value)}
      error={form.sizeError ?? undefined}
      hint={
        <span className="tabular-nums">
          {inDollars !== null && <>≈ {inDollars} · </>}
          Wallet {walletLamports === null ? MISSING : `${gainSol(walletLamports)} SOL`}
        </span>
      }
      className="pr-14"
      trailing={
        <Button
          size="sm"
          variant="ghost"
          disabled={mostLamports === null || mostLamports === 0}
          title={maxTitle(mostLamports)}
          onClick={() => form.setSize(exactSol(mostLamports ?? 0))}
        >
          Max
        </Button>
      }
    />
  );
}

function maxTitle(mostLamports: number | null): string {
  if (mostLamports === null) return 'What can be spent is not known yet.';
  return mostLamports === 0
    ? 'Your wallet and limits leave nothing to spend.'
    : 'What your wallet and limits allow, less fees, rent and what a sale costs.';
}

function ShareField({ form }: { form: TradeForm }) {
  return (
    <Field
      label="Share of your tokens (%)"
      inputMode="numeric"
      autoComplete="off"
      value={form.size}
      {...(form.initialOf === null ? {} : { placeholder: 'The initial' })}
      onChange={(event) => form.setSize(event.target.value)}
      error={form.sizeError ?? undefined}
    />
  );
}

function Presets({ form, account: { presets } }: { form: TradeForm; account: TradingAccount }) {
  const { side, preset, isPresetOld, setPreset, terms } = form;
  const current = isPresetOld ? null : preset;
  return (
    <div>
      <fieldset className="flex gap-1.5">
        <legend className="sr-only">Presets</legend>
        {presetIndexes.map((at) => {
          const size = side === 'buy' ? exactSol(presets.buy[at].lamports) : `${presets.sell[at].sharePercent} %`;
          return (
            <button
              key={at}
              type="button"
              aria-pressed={current === at}
              title={termsText(current === at ? terms : presets[side][at])}
              onClick={() => setPreset(at)}
              className={classNames(
                'h-7 min-w-0 flex-1 truncate rounded-md border px-1 font-medium text-xs tabular-nums transition-colors',
                current === at
                  ? 'border-accent/50 bg-accent/10 text-accent'
                  : 'border-line-strong text-muted hover:text-text',
              )}
            >
              <span className="font-normal">{presetNames[at]}</span> {size}
            </button>
          );
        })}
      </fieldset>
      <p className="mt-1.5 text-faint text-xs">
        {presetNames[preset]}
        {isPresetOld && ' before its change'}: {feesText(terms)}.{' '}
        <Link href="/app/settings?tab=trading" className="underline underline-offset-2 hover:text-text">
          Change
        </Link>
      </p>
    </div>
  );
}
