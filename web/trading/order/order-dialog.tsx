import { ExternalLink } from 'lucide-react';
import type { ReactNode } from 'react';
import { tradingCalls } from '../../../common/trading/http.ts';
import type { AttemptOutcome } from '../../../common/trading/machine.ts';
import type { Order } from '../../../common/trading/order.ts';
import { reasonText } from '../../../common/trading/reasons.ts';
import { tokensText } from '../../../common/trading/text.ts';
import { clusterExplorerUrl, useChainConfig } from '../../chain/config.ts';
import { request } from '../../http/client.ts';
import { useMutation } from '../../http/use-mutation.ts';
import { useUserQuery } from '../../live/hooks/use-user-query.ts';
import { useStore } from '../../store.ts';
import { Button } from '../../ui/button.tsx';
import { CopyAddress } from '../../ui/copy-address.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { count, utcTime } from '../../ui/format.ts';
import { Price } from '../../ui/price.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { costSol, exactSol, percentOfBps, receivedLamports, spentLamports, symbolOfToken } from '../format.ts';
import { ModeBadge } from '../mode-badge.tsx';
import { receiveOrder, useNewestOrder } from '../state/trading.ts';
import { causeText, resultText } from './order-text.ts';
import { OrderStatusBadge } from './status-badge.tsx';

/** Shows an order: its result and costs, its times, and each attempt with its transaction. */
export function OrderDialog({ order: given, onClose }: { order: Order; onClose: () => void }) {
  const order = useNewestOrder(given);
  const { side, token, status } = order;
  const title = `${side === 'buy' ? 'Purchase' : 'Sale'} of ${symbolOfToken(token)}`;
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={title}
      {...(status === 'created' || status === 'held' ? { footer: <CancelButton order={order} /> } : {})}
    >
      <div className="flex flex-col gap-4 text-sm">
        <div className="flex flex-wrap items-center gap-2">
          <OrderStatusBadge order={order} />
          <ModeBadge mode={order.mode} />
          <span className="text-muted">{causeText(order)}</span>
        </div>
        {resultText(order) !== null && <p className="text-pretty">{resultText(order)}</p>}
        <Asked order={order} />
        {order.fill !== null && <Costs order={order} />}
        <Times order={order} />
        <Attempts order={order} />
      </div>
    </Dialog>
  );
}

function CancelButton({ order }: { order: Order }) {
  const store = useStore();
  const { pending, run } = useMutation(async () => {
    const { data } = await request(tradingCalls.cancelOrder, { params: { id: order.id } });
    receiveOrder(store, data);
  });
  return (
    <Button variant="destructive" busy={pending} onClick={() => void run()}>
      Cancel order
    </Button>
  );
}

function Facts({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="mb-1 font-semibold text-sm">{title}</h3>
      <dl className="grid grid-cols-[fit-content(60%)_minmax(0,1fr)] gap-x-4 gap-y-1 text-xs tabular-nums">
        {children}
      </dl>
    </section>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{label}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </>
  );
}

function Asked({ order: { side, lamports, tokens, token, slippageBps, wallet } }: { order: Order }) {
  return (
    <Facts title="Order">
      {side === 'buy' && lamports !== null && (
        <Fact label="Spend">{exactSol(lamports)} SOL, fee of launchpad or pool included</Fact>
      )}
      {side === 'sell' && tokens !== null && (
        <Fact label="Sell">
          {tokensText(tokens, token.decimals)} {symbolOfToken(token)}
        </Fact>
      )}
      <Fact label="Slippage">{percentOfBps(slippageBps)}</Fact>
      <Fact label="Token">
        <CopyAddress address={token.address} label="token address" />
      </Fact>
      <Fact label="Wallet">
        <CopyAddress address={wallet} label="wallet address" />
      </Fact>
    </Facts>
  );
}

function Costs({ order: { fill, side } }: { order: Order }) {
  if (fill === null) return null;
  const { costs } = fill;
  const total = side === 'buy' ? spentLamports(fill) : receivedLamports(fill) + costs.returnedRentLamports;
  const rows: [string, number | null][] = [
    ['Launchpad or pool fee', costs.launchpadFeeLamports],
    ['Network', costs.networkFeeLamports],
    ['Priority', costs.priorityFeeLamports],
    ['Tip', costs.tipLamports],
    ['Account rent (comes back when you sell all)', costs.accountRentLamports],
    ['Launchpad account (once)', costs.volumeRentLamports],
    ['Account rent returned', costs.returnedRentLamports],
  ];
  return (
    <Facts title="Costs">
      <Fact label={side === 'buy' ? 'Paid, fee included' : 'Received, fee deducted'}>
        {exactSol(fill.lamports)} SOL
      </Fact>
      <Fact label="Average price, without fees">
        <Price value={fill.price} /> SOL
      </Fact>
      {rows
        .filter(([, lamports], at) => at < 2 || lamports !== 0)
        .map(([label, lamports]) => (
          <Fact key={label} label={label}>
            {lamports === null ? (
              'Unknown, part of the price'
            ) : (
              <span title={`${exactSol(lamports)} SOL`} className="whitespace-nowrap">
                {costSol(lamports)} SOL
              </span>
            )}
          </Fact>
        ))}
      <Fact label={side === 'buy' ? 'Left the wallet in total' : 'Arrived in the wallet in total'}>
        {exactSol(total)} SOL
      </Fact>
    </Facts>
  );
}

/** Times of an order, with the time since the step before. */
function Times({ order: { times } }: { order: Order }) {
  const steps: [string, string | null][] = [
    ['Decided', times.created],
    ['Reserved', times.held],
    ['Signed', times.signed],
    ['Sent', times.sent],
    ['Seen', times.decided],
  ];
  let before: string | null = null;
  return (
    <Facts title="Times">
      {steps.map(([label, at]) => {
        const passed = at === null || before === null ? null : Date.parse(at) - Date.parse(before);
        before = at ?? before;
        return (
          <Fact key={label} label={label}>
            {utcTime(at)}
            {passed !== null && <span className="text-muted"> · {count(passed)} ms later</span>}
          </Fact>
        );
      })}
    </Facts>
  );
}

const outcomeNames: Record<AttemptOutcome, string> = {
  landed: 'Landed',
  reverted: 'Reverted',
  expired: 'Expired',
  refused: 'Refused by the node',
};

function Attempts({ order: { attempts, mode, cluster } }: { order: Order }) {
  const { chain } = useChainConfig();
  if (mode === 'paper') return <p className="text-muted text-xs">A paper order has no transaction.</p>;
  return (
    <section>
      <h3 className="mb-1 font-semibold text-sm">Attempts</h3>
      {attempts.length === 0 && <p className="text-muted text-xs">Nothing was signed.</p>}
      <ol className="flex flex-col gap-2">
        {attempts.map((attempt, at) => {
          const url = attempt.sends === 0 ? null : clusterExplorerUrl('tx', attempt.signature, cluster, chain);
          return (
            <li key={attempt.signature} className="rounded-md border border-line px-3 py-2 text-xs tabular-nums">
              <p className="flex flex-wrap items-center gap-x-2">
                <span className="font-medium">
                  {at + 1}. {attempt.outcome === null ? 'Undecided' : outcomeNames[attempt.outcome]}
                </span>
                <span className="text-muted">
                  sent {attempt.sends === 1 ? 'once' : `${attempt.sends} times`}
                  {attempt.slot !== null && ` · block ${count(attempt.slot)}`}
                </span>
              </p>
              <p className="mt-0.5 flex items-center gap-2">
                <CopyAddress address={attempt.signature} label="signature" />
                {url !== null && (
                  <a
                    href={url}
                    target="_blank"
                    rel="noopener noreferrer"
                    className="inline-flex items-center gap-1 text-muted hover:text-text"
                  >
                    View on explorer
                    <ExternalLink size={14} strokeWidth={1.75} aria-hidden="true" />
                  </a>
                )}
              </p>
              {attempt.failure !== null && <p className="mt-0.5 text-muted">{reasonText(attempt.failure)}</p>}
            </li>
          );
        })}
      </ol>
    </section>
  );
}

/** Fetches an order and shows it. */
export function OrderById({ id, onClose }: { id: string; onClose: () => void }) {
  const { data, error, loading, reload } = useUserQuery(tradingCalls.order, { params: { id } });
  if (data !== undefined) return <OrderDialog order={data} onClose={onClose} />;
  return (
    <Dialog open wide onClose={onClose} title="Order">
      {error === null ? (
        <p role="status" className="flex items-center justify-center gap-3 py-8 text-muted text-sm">
          <Spinner className="size-5 text-accent" />
          Loading order
        </p>
      ) : (
        <Problem title="Error Loading Order" text={error} onRetry={() => void reload()} busy={loading} />
      )}
    </Dialog>
  );
}
