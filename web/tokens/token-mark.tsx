import { memo } from 'react';

const CELLS = 5;
const HALF = Math.ceil(CELLS / 2);

/** Draws a small picture from the address alone: the same token looks the same everywhere, and nothing is fetched. */
export const TokenMark = memo(function TokenMark({ address, size = 24 }: { address: string; size?: number }) {
  const seed = hash(address);
  // Low chroma: the mark must not look like an up, a down or a risk.
  const colour = `oklch(0.6 0.075 ${seed % 360})`;
  return (
    <svg
      width={size}
      height={size}
      viewBox={`-1 -1 ${CELLS + 2} ${CELLS + 2}`}
      aria-hidden="true"
      shapeRendering="crispEdges"
      className="shrink-0 rounded-md border border-line bg-bg"
      style={{ color: colour }}
    >
      {cellsOf(address).map(({ x, y }) => (
        <rect key={`${x},${y}`} x={x} y={y} width="1" height="1" fill="currentColor" />
      ))}
    </svg>
  );
});

/** Returns the filled cells of a symmetric pattern, which is easier to recognize than noise. */
function cellsOf(address: string): { x: number; y: number }[] {
  const cells: { x: number; y: number }[] = [];
  for (let y = 0; y < CELLS; y++) {
    for (let x = 0; x < HALF; x++) {
      if (hash(`${x},${y},${address}`) % 100 >= 52) continue;
      cells.push({ x, y });
      if (x !== CELLS - 1 - x) cells.push({ x: CELLS - 1 - x, y });
    }
  }
  return cells;
}

/** FNV-1a with a final mix, so that similar addresses look different. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d);
  return (value ^ (value >>> 13)) >>> 0;
}
