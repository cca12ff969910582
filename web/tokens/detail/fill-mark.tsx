import type { OrderSide } from '../../../common/trading/machine.ts';

/** Half the width and the height of the triangle, and its distance from the price, px. */
const HALF = 5;
const HEIGHT = 8;
const GAP = 4;

/** Draws a purchase as a triangle below its price, a sale as one above it; the details show on hover. */
export function FillMark(props: { cx?: number | undefined; cy?: number | undefined; side: OrderSide; text: string }) {
  const { cx, cy, side, text } = props;
  if (cx === undefined || cy === undefined) return null;
  // Points towards the price: a purchase from below, a sale from above.
  const down = side === 'buy' ? 1 : -1;
  const tip = cy + down * GAP;
  const base = tip + down * HEIGHT;
  return (
    <g data-fill={side}>
      <title>{text}</title>
      <circle cx={cx} cy={cy} r={2.5} fill="var(--color-text)" />
      <path
        d={`M${cx} ${tip}L${cx + HALF} ${base}L${cx - HALF} ${base}Z`}
        fill={side === 'buy' ? 'var(--color-up)' : 'var(--color-down)'}
        stroke="var(--color-bg)"
        strokeWidth={1}
        paintOrder="stroke"
      />
    </g>
  );
}
