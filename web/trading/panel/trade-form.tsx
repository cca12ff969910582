import { type ReactNode, type SyntheticEvent, useId, useState } from 'react';
import {
  type Exits,
  type TradingAccount,
  type TradingMode,
  tradingModeNames,
} from '../../../common/trading/account.ts';
import { exitTexts } from '../../../common/trading/exits-text.ts';
import type { OrderSide } from '../../../common/trading/machine.ts';
import type { Order, Quote, QuoteResponse, TradeWarning } from '../../../common/trading/order.ts';
import type { Position } from '../../../common/trading/position.ts';
import { type Reason, reason, reasonText } from '../../../common/trading/reasons.ts';
import { useMutation } from '../../http/use-mutation.ts';
import { useStore } from '../../store.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { FieldError } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { ExitsDialog } from '../exits-dialog.tsx';
import { exactSol, type NamedToken } from '../format.ts';
import { OrderLine, OrdersOfToken } from '../order/order-line.tsx';
import { warningTexts } from '../order/order-text.ts';
import { placeErrorText, placeOrder } from '../state/placed.ts';
import { isPending, useNewestOrder, useOpenPositions } from '../state/trading.ts';
import { type BuyableFields, unbuyable, unbuyableReason } from '../unbuyable.ts';
import { HeldLine } from './held-line.tsx';
import { QuoteLines } from './quote-lines.tsx';
import { TradeFields } from './trade-fields.tsx';
import { type QuoteAsk, useQuote } from './use-quote.ts';
import { useTradeForm } from './use-trade-form.ts';
import { WalletWarning } from './wallet-warning.tsx';

/** Fields that get the focus are scrolled clear of the button at the thumb. */
const formClass = 'flex flex-col gap-3 in-[[role=dialog]]:[&_:is(input,button)]:scroll-mb-24';

/** The form of a trade, its quote and its result. */
export function TradeFormCard(props: {
  token: NamedToken & BuyableFields;
  account: TradingAccount;
  mode: TradingMode;
  side: OrderSide;
}) {
  const { token, account, mode } = props;
  const form = useTradeForm(token.address, account, props.side);
  const { ask, side } = form;
  const known = side === 'buy' ? unbuyableReason(token, mode) : null;
  const { response, error, isOld, money } = useQuote(known === null ? ask : null, mode);
  const closed = side === 'buy' ? closedBy(known, response) : null;
  const [exits, setExits] = useState<Exits | null>(null);
  const [isEditing, setIsEditing] = useState(false);
  const held = useOwnPosition(token.address, mode);
  const placing = usePlacing(ask, mode, { isProtected: form.terms.isProtected, exits });
  const warnings = response?.quote?.warnings ?? [];
  const [accepted, setAccepted] = useState('');
  const isAccepted = warnings.length === 0 || accepted === warnings.join();
  const isCurrent = error === null && !isOld;
  const canPlace = ask !== null && response?.quote != null && response.refusal === null && isAccepted && isCurrent;

  function submit(event: SyntheticEvent): void {
    event.preventDefault();
    if (canPlace && response.quote) void placing.run(response.quote);
  }

  return (
    <>
      <form noValidate onSubmit={submit} className={formClass}>
        <Sides side={side} onChange={form.setSide} />
        <HeldLine token={token} mode={mode} onInitial={form.sellInitial} />
        <TradeFields form={form} account={account} money={money} closed={closed} />
        {side === 'buy' && closed === null && (
          <ExitsLine exits={exits ?? account.defaults.exits} held={held} onEdit={() => setIsEditing(true)} />
        )}
        <QuoteState {...{ response, error, isOld, token }} />
        {response?.refusal == null && warnings.length > 0 && (
          <Warnings
            warnings={warnings}
            checked={isAccepted}
            onChange={(checked) => setAccepted(checked ? warnings.join() : '')}
          />
        )}
        <AtThumb>
          {closed === null && response?.refusal == null && (
            <PlaceButton
              side={side}
              disabled={!canPlace}
              busy={placing.pending}
              disabledBy={isAccepted ? null : "Tick 'Buy anyway' first."}
            >
              {verbOf(ask, side)} · {tradingModeNames[mode]}
            </PlaceButton>
          )}
          {closed === null && response !== null && <Refusal response={response} />}
          {placing.failure !== null && <FieldError id="order-error">{placing.failure}</FieldError>}
          {placing.order !== null && <PlacedOrder order={placing.order} />}
        </AtThumb>
        <OrdersOfToken address={token.address} without={placing.order?.id ?? null} />
      </form>
      {isEditing && (
        <ExitsDialog
          title="Exits of this purchase"
          description="The position that it opens starts with them. Percents compare with the average price paid, without fees. Empty: none."
          verb="Set Exits"
          exits={exits ?? account.defaults.exits}
          onSubmit={(chosen) => {
            setExits(chosen);
            setIsEditing(false);
          }}
          onClose={() => setIsEditing(false)}
        />
      )}
    </>
  );
}

/** Shows the result of the trade if it were made now, and why it may be out of date. */
function QuoteState(props: {
  response: QuoteResponse | null;
  error: string | null;
  isOld: boolean;
  token: NamedToken;
}) {
  const { response, error, isOld, token } = props;
  return (
    <>
      {response?.quote && <QuoteLines quote={response.quote} token={token} />}
      {error === null && isOld && <p className="text-muted text-xs">These figures are old. Waiting for new ones.</p>}
      {error !== null && <FieldError id="quote-error">{error}</FieldError>}
    </>
  );
}

/** Returns the open position that a purchase by hand goes to; null without one. */
function useOwnPosition(address: string, mode: TradingMode): Position | null {
  const positions = useOpenPositions() ?? [];
  return (
    positions.find((one) => one.mode === mode && one.token.address === address && one.origin.kind === 'manual') ?? null
  );
}

/** Shows the exits with which a position starts, and a button that sets them; those of the position that a purchase adds to stay. */
function ExitsLine({ exits, held, onEdit }: { exits: Exits; held: Position | null; onEdit: () => void }) {
  const texts = exitTexts(held?.exits ?? exits);
  const text = texts.length === 0 ? 'none' : texts.join(' / ');
  if (held !== null) return <p className="text-muted text-xs">Exits of your position: {text}</p>;
  return (
    <div className="flex min-h-7 items-center justify-between gap-2 text-muted text-xs">
      <span className="min-w-0">Exits: {text}</span>
      <Button size="sm" variant="ghost" aria-label="Set exits" onClick={onEdit}>
        Set
      </Button>
    </div>
  );
}

/** Keeps the button and what became of its press at the lower edge of the dialog of a narrow screen. */
function AtThumb({ children }: { children: ReactNode }) {
  return (
    <div className="flex flex-col gap-3 rounded-b-lg bg-surface empty:hidden in-[[role=dialog]]:sticky in-[[role=dialog]]:-bottom-4 in-[[role=dialog]]:z-1 in-[[role=dialog]]:py-2">
      {children}
    </div>
  );
}

/** Sends the form. `disabledBy` is shown below it. */
function PlaceButton(props: {
  side: OrderSide;
  disabled: boolean;
  busy: boolean;
  disabledBy: string | null;
  children: ReactNode;
}) {
  const { side, disabled, busy, disabledBy, children } = props;
  const reasonId = useId();
  return (
    <div className="flex flex-col gap-1.5">
      <Button
        type="submit"
        variant={side === 'buy' ? 'primary' : 'secondary'}
        disabled={disabled}
        busy={busy}
        aria-describedby={disabledBy === null ? undefined : reasonId}
        className="w-full"
      >
        {children}
      </Button>
      {disabledBy !== null && (
        <p id={reasonId} className="text-center text-muted text-xs">
          {disabledBy}
        </p>
      )}
    </div>
  );
}

/** Returns why the coin can't be bought for any amount; null when it may be. `known`: by its own fields. */
function closedBy(known: Reason['code'] | null, response: QuoteResponse | null): Reason | null {
  if (known !== null) return reason(known);
  const refusal = response?.refusal ?? null;
  return refusal !== null && unbuyable.has(refusal.code) ? refusal : null;
}

function verbOf(ask: QuoteAsk | null, side: OrderSide): string {
  if (ask?.initial) return 'Sell the initial';
  if (side === 'buy') return ask?.lamports === undefined ? 'Buy' : `Buy for ${exactSol(ask.lamports)} SOL`;
  return ask?.sharePercent === undefined ? 'Sell' : `Sell ${ask.sharePercent} %`;
}

/**
 * Places the trade that is entered, in the mode that the button shows. It has to bring at least the bound of its quote. `exits`: null for
 * the user's default ones; a purchase that adds to a position leaves the exits there. They are sent for it too, so that a repeated
 * request is the same order although its first one has opened the position.
 */
function usePlacing(
  ask: QuoteAsk | null,
  mode: TradingMode,
  { isProtected, exits }: { isProtected: boolean; exits: Exits | null },
) {
  const store = useStore();
  const key = JSON.stringify([ask, isProtected, exits]);
  const [order, setOrder] = useState<Order | null>(null);
  const [failure, setFailure] = useState<{ key: string; text: string } | null>(null);
  const { pending, run } = useMutation(
    async ({ warnings: accept, leastTokens, leastLamports }: Quote) => {
      if (ask === null) return;
      setFailure(null);
      const least = leastTokens ?? String(leastLamports ?? 0);
      const attached = ask.side === 'buy' && exits !== null ? { exits } : {};
      setOrder(await placeOrder(store, { ...ask, ...attached, isProtected, mode, least, from: 'page', accept }));
    },
    (reason) => setFailure({ key, text: placeErrorText(reason) }),
  );
  return { pending, run, order, failure: failure?.key === key ? failure.text : null };
}

const sides: readonly { side: OrderSide; label: string }[] = [
  { side: 'buy', label: 'Buy' },
  { side: 'sell', label: 'Sell' },
];

function Sides({ side, onChange }: { side: OrderSide; onChange: (side: OrderSide) => void }) {
  return (
    <fieldset className="grid grid-cols-2 gap-0.5 rounded-md border border-line p-0.5">
      <legend className="sr-only">Side</legend>
      {sides.map((one) => (
        <button
          key={one.side}
          type="button"
          aria-pressed={one.side === side}
          onClick={() => onChange(one.side)}
          className={classNames(
            'h-8 rounded-sm font-medium text-sm transition-colors',
            one.side !== side && 'text-muted hover:text-text',
            one.side === side && (side === 'buy' ? 'bg-up/12 text-up' : 'bg-down/12 text-down'),
          )}
        >
          {one.label}
        </button>
      ))}
    </fieldset>
  );
}

function Warnings(props: {
  warnings: readonly TradeWarning[];
  checked: boolean;
  onChange: (checked: boolean) => void;
}) {
  return (
    <Notice tone="warning">
      <ul className="flex flex-col gap-0.5">
        {props.warnings.map((warning) => (
          <li key={warning}>{warningTexts[warning]}</li>
        ))}
      </ul>
      <label className="mt-1.5 flex items-center gap-2 font-medium">
        <input
          type="checkbox"
          className="size-4 accent-accent"
          checked={props.checked}
          onChange={(event) => props.onChange(event.target.checked)}
        />
        Buy anyway
      </label>
    </Notice>
  );
}

function Refusal({ response: { refusal } }: { response: QuoteResponse }) {
  if (refusal === null) return null;
  if (refusal.code === 'no-wallet') return <WalletWarning />;
  return <Notice tone="info">{reasonText(refusal)}</Notice>;
}

/** Shows the order that was placed last, until the page is left. */
function PlacedOrder({ order }: { order: Order }) {
  const newest = useNewestOrder(order);
  return (
    <div role="status" className={classNames('border-line border-t pt-3', isPending(newest) && 'text-muted')}>
      <OrderLine order={newest} />
    </div>
  );
}
