import { plainDecimals } from './format.ts';

/** Makes the page copy prices in plain decimals, which other programs can read. */
export function copyPlainDecimals(): void {
  document.addEventListener('copy', (event) => {
    const text = document.getSelection()?.toString() ?? '';
    const plain = plainDecimals(text);
    if (plain === text || event.clipboardData === null) return;
    event.clipboardData.setData('text/plain', plain);
    event.preventDefault();
  });
}
