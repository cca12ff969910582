import { ChevronDown } from 'lucide-react';
import { useMemo } from 'react';
import type { Token } from '../../common/tokens/model.ts';
import { type ChangeSpan, changeSpanSchema, changeStart, type SparkPoint } from '../../common/tokens/spark.ts';
import { keptAtom } from '../kept-atom.ts';
import { serverClockAtom } from '../live/atoms/clock.ts';
import { atom, useAtom, useAtomValue } from '../store.ts';
import { classNames } from '../ui/class-names.ts';
import { directionOf, percentChange, signedPercent, utcTime } from '../ui/format.ts';
import { Menu, MenuChoice } from '../ui/menu.tsx';

/** Text color of each direction of a change. */
export const directionColor = { up: 'text-up', down: 'text-down', flat: 'text-muted' } as const;

/** Span of the changes on screen. */
export const changeSpanAtom = keptAtom<ChangeSpan>('ui-change-span', changeSpanSchema, 'launch');

const spanNames: Record<ChangeSpan, string> = {
  '1m': '1 minute',
  '5m': '5 minutes',
  '1h': '1 hour',
  launch: 'Since launch',
};
export const spanOptions = changeSpanSchema.options.map((value) => ({ value, label: spanNames[value] }));

type Priced = Pick<Token, 'spark' | 'price' | 'createdAt' | 'detectedAt'>;

/** Returns the change since a point, percent; null without a price then or now. */
export function changeSince(start: SparkPoint | null, price: number | null): number | null {
  return start === null || start[1] === 0 || price === null ? null : (price / start[1] - 1) * 100;
}

/** Returns the change of a token over the span on screen, percent, and its beginning. It renders again when one of both changes. */
function useChange(token: Priced): { change: number | null; span: ChangeSpan; start: SparkPoint | null } {
  const span = useAtomValue(changeSpanAtom);
  const { spark, createdAt, detectedAt } = token;
  const startAtom = useMemo(
    () => atom((get) => changeStart({ spark, createdAt, detectedAt }, span, get(serverClockAtom))),
    [spark, createdAt, detectedAt, span],
  );
  const start = useAtomValue(startAtom);
  return { change: changeSince(start, token.price), span, start };
}

/** Shows the change of the price over the span on screen; `named`: with the span before it. */
export function Change({ token, named = false, className }: { token: Token; named?: boolean; className?: string }) {
  const { change, span, start } = useChange(token);
  return (
    <span
      title={
        start === null
          ? `No price is known from ${span === 'launch' ? 'the launch' : `${spanNames[span]} ago`}.`
          : `${signedPercent(change)} since ${utcTime(Date.parse(token.detectedAt) + start[0] * 1_000)}`
      }
      className={classNames('text-2xs leading-4', directionColor[directionOf(change)], className)}
    >
      {named && <span className="text-muted">{span} </span>}
      {percentChange(change)}
    </span>
  );
}

/** Names the span of the changes in a column, and switches it. */
export function SpanMenu() {
  const [span, setSpan] = useAtom(changeSpanAtom);
  return (
    <Menu
      side="bottom"
      trigger={
        <button
          type="button"
          aria-label={`Span of the change: ${spanNames[span]}`}
          className="-mx-1 inline-flex items-center gap-0.5 rounded-sm px-1 text-2xs leading-3.5 transition-colors hover:text-text"
        >
          {span}
          <ChevronDown size={10} strokeWidth={1.75} aria-hidden="true" />
        </button>
      }
    >
      <MenuChoice label="Change over" value={span} options={spanOptions} onChange={setSpan} />
    </Menu>
  );
}
