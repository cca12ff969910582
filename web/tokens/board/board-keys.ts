/** The link of a card, which has the focus while the card is selected. */
const LINK = '[data-row-link]';

/**
 * Moves the selection within its column of the board, or within a list whose rows are all rendered: to the next (1) or the
 * previous (-1) one. Without a selection the first one is selected.
 */
export function moveInColumn(board: HTMLElement | null, by: 1 | -1): void {
  const columns = columnsOf(board);
  const column = columns.find((one) => one.contains(document.activeElement));
  if (column === undefined) {
    select(columns.flatMap(cardsOf)[0]);
    return;
  }
  const cards = cardsOf(column);
  const at = cards.findIndex((card) => card.contains(document.activeElement));
  // Cards beyond the rendered ones follow as soon as this one scrolls into sight.
  select(cards[at + by] ?? cards[at]);
}

/** Moves the selection to the next (1) or the previous (-1) column with cards, at about the same height. */
export function moveToColumn(board: HTMLElement | null, by: 1 | -1): void {
  const columns = columnsOf(board).filter((column) => cardsOf(column).length > 0);
  const at = columns.findIndex((column) => column.contains(document.activeElement));
  const column = at < 0 ? columns[0] : columns[at + by];
  if (column === undefined) return;
  const from = at < 0 ? Number.NEGATIVE_INFINITY : (document.activeElement?.getBoundingClientRect().top ?? 0);
  const cards = cardsOf(column);
  select(cards.find((card) => card.getBoundingClientRect().bottom > from) ?? cards[0]);
}

function columnsOf(board: HTMLElement | null): Element[] {
  return board === null ? [] : [...board.children];
}

/** Returns the cards of a column from top to bottom, as they are on screen. */
function cardsOf(column: Element): Element[] {
  return [...column.querySelectorAll('[data-address]')]
    .filter((card) => card.querySelector(LINK) !== null)
    .toSorted((one, other) => one.getBoundingClientRect().top - other.getBoundingClientRect().top);
}

function select(card: Element | undefined): void {
  card?.querySelector<HTMLElement>(LINK)?.focus({ preventScroll: true });
  card?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}
