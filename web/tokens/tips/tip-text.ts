/** A title of a row's figure, the figure's text ('' where the title repeats it), and where it stands. */
export interface RowTip {
  text: string;
  of: string;
  box: DOMRect;
}

/**
 * Returns the title under a point of the window, which the row's link covers, or all titles of the row where the point
 * has none; empty outside of rows and over buttons, which have their own.
 */
export function tipsAt(x: number, y: number): RowTip[] {
  const under = document.elementsFromPoint(x, y);
  if (under.some((element) => element.closest('[data-row-action]') !== null)) return [];
  for (const element of under) {
    const titled = element.closest('[data-address] [title]');
    if (titled !== null) return [{ ...tipOf(titled), of: '' }];
  }
  const [first] = under;
  return first === undefined ? [] : tipsOf(first);
}

/** Returns all titles of the row around an element, in reading order. They stand below the row. */
export function tipsOf(element: Element): RowTip[] {
  const row = element.closest('[data-address]');
  if (row === null) return [];
  const box = row.getBoundingClientRect();
  return [...row.querySelectorAll('[title]:not([data-row-action])')].map((one) => ({ ...tipOf(one), box }));
}

function tipOf(element: Element): RowTip {
  const text = element.getAttribute('title') ?? '';
  const of = element.textContent.trim();
  // A title that repeats its figure needs no label.
  const repeats = element.matches('[data-level]') || text.startsWith(of.slice(0, 3));
  return { text, of: repeats ? '' : of, box: element.getBoundingClientRect() };
}
