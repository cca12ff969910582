const figures = new Intl.NumberFormat('en-US');

/** Returns a count with its noun, with thousands separators: `1 order`, `2,000 orders`. */
export function counted(count: number, noun: string): string {
  return `${figures.format(count)} ${noun}${count === 1 ? '' : 's'}`;
}
