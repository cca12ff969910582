/** Distance from a list within which a mouse holds it, px. */
const APPROACH_PX = 160;

export interface Point {
  x: number;
  y: number;
}

/** Edges of a rectangle, in px from the top left corner of the window. */
export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Returns the distance of a point from a box, px; 0 inside. */
function distanceTo(box: Box, { x, y }: Point): number {
  return Math.hypot(Math.max(box.left - x, 0, x - box.right), Math.max(box.top - y, 0, y - box.bottom));
}

/**
 * Returns whether a mouse that moved from `before` to `now` may be on its way to a list: it is near, or came nearer.
 * `before` is null at its first move. `box` is the visible part of the list; null when none is visible.
 */
export function approaches(box: Box | null, before: Point | null, now: Point): boolean {
  if (box === null) return false;
  const distance = distanceTo(box, now);
  return distance <= APPROACH_PX || (before !== null && distance < distanceTo(box, before));
}
