/** A title of a row's figure, the figure's text, and where it stands. */
export interface RowTip {
  text: string;
  of: string;
  box: DOMRect;
}

/** Returns the title under a point of the window, which the row's link covers; null without one, or over a button. */
export function tipAt(x: number, y: number): RowTip | null {
  const under = document.elementsFromPoint(x, y);
  if (under.some((element) => element.closest('[data-row-action]') !== null)) return null;
  for (const element of under) {
    const titled = element.closest('[data-address] [title]');
    if (titled !== null) return tipOf(titled);
  }
  return null;
}

/** Returns all titles of the row around an element, in reading order. They stand below the row. */
export function tipsOf(element: Element): RowTip[] {
  const row = element.closest('[data-address]');
  if (row === null) return [];
  const box = row.getBoundingClientRect();
  return [...row.querySelectorAll('[title]:not([data-row-action])')].map((one) => ({ ...tipOf(one), box }));
}

function tipOf(element: Element): RowTip {
  return {
    text: element.getAttribute('title') ?? '',
    of: element.textContent.trim(),
    box: element.getBoundingClientRect(),
  };
}
