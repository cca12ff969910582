import type { WouldBuy } from '../../common/strategies/preview.ts';
import { Age } from '../live/hooks/age.tsx';
import { detailPath } from '../tokens/links.ts';
import { nameOf, symbolOf } from '../tokens/text.ts';
import { classNames } from '../ui/class-names.ts';
import { directionOf, MISSING, percentChange, price } from '../ui/format.ts';

/** Columns are hidden by the width of the section rather than the screen, since a dialog can be narrow too. */
const whenWide = '@max-4xl:hidden';
const whenRoomy = '@max-3xl:hidden';
const whenMedium = '@max-lg:hidden';

const soldBy = { stopLoss: 'Stop loss', takeProfit: 'Take profit' } as const;

/** Simulated purchases, newest first. The column of sales is left out for rules, which never sell. */
export function PreviewTable({ buys, sells }: { buys: readonly WouldBuy[]; sells: boolean }) {
  return (
    <div className="scroll-quiet relative max-h-[320px] overflow-auto border-line border-t">
      <table aria-label="Purchases that would have happened" className="w-full text-sm tabular-nums">
        <thead className="sticky top-0 z-10 bg-surface text-muted text-xs shadow-[inset_0_-1px_0_var(--color-line)]">
          <tr className="h-9 *:px-2 *:first:pl-4 *:last:pr-4 @lg:*:px-3 *:font-medium">
            <th scope="col" className="text-left">
              Token
            </th>
            <th scope="col" className="text-right">
              Bought
            </th>
            <th scope="col" className={classNames('text-right', whenWide)}>
              Price then
            </th>
            <th scope="col" className={classNames('text-right', whenWide)}>
              Price now
            </th>
            <th scope="col" className="text-right">
              Change
            </th>
            <th scope="col" className={classNames('text-right', whenRoomy)}>
              Best
            </th>
            <th scope="col" className={classNames('text-right', whenRoomy)}>
              Worst
            </th>
            {sells && (
              <th scope="col" className={classNames('text-left', whenMedium)}>
                Sold by
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {buys.map((buy) => (
            <Row key={buy.address} buy={buy} sells={sells} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ buy, sells }: { buy: WouldBuy; sells: boolean }) {
  const symbol = symbolOf(buy);
  return (
    <tr className="h-8 border-line border-b *:px-2 *:first:pl-4 *:last:pr-4 @lg:*:px-3 last:border-b-0">
      {/* In a narrow section names are truncated, never figures. */}
      <td className="max-w-40 truncate @max-lg:w-full @max-lg:max-w-0">
        {/* Opens in a new tab, so that the form keeps its input. */}
        <a
          href={detailPath(buy.address)}
          target="_blank"
          rel="noopener"
          title={nameOf(buy)}
          className="font-medium hover:underline"
        >
          <bdi>{symbol ?? nameOf(buy)}</bdi>
          <span className="sr-only"> (opens in a new tab)</span>
        </a>
      </td>
      <td className="text-right text-muted">
        <Age at={buy.at} />
      </td>
      <td className={classNames('text-right', whenWide)}>{price(buy.price)}</td>
      <td className={classNames('text-right', whenWide)}>{price(buy.priceNow)}</td>
      <td className="text-right">
        <Change percent={buy.change} />
      </td>
      <td className={classNames('text-right', whenRoomy)}>
        <Change percent={buy.best} />
      </td>
      <td className={classNames('text-right', whenRoomy)}>
        <Change percent={buy.worst} />
      </td>
      {sells && <td className={whenMedium}>{buy.sold === null ? <Held /> : <Sold sold={buy.sold} />}</td>}
    </tr>
  );
}

function Sold({ sold }: { sold: NonNullable<WouldBuy['sold']> }) {
  return (
    <span className="whitespace-nowrap">
      {soldBy[sold.by]} <Change percent={sold.change} />
    </span>
  );
}

function Held() {
  return (
    <span className="text-muted">
      <span aria-hidden="true">{MISSING}</span>
      <span className="sr-only">still held</span>
    </span>
  );
}

function Change({ percent }: { percent: number | null }) {
  const direction = directionOf(percent);
  return (
    <span
      className={classNames(
        'whitespace-nowrap',
        direction === 'up' && 'text-up',
        direction === 'down' && 'text-down',
        direction === 'flat' && 'text-muted',
      )}
    >
      {percentChange(percent)}
    </span>
  );
}
