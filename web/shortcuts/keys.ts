/** Keys that work on every signed-in page, after `g`: the page that each opens. */
export const pageKeys: Readonly<Record<string, string>> = {
  d: '/app',
  t: '/app/tokens',
  r: '/app/auto-buy',
  a: '/app/auto-buy-strategies',
  x: '/app/transactions',
  p: '/app/positions',
  w: '/app/wallet',
  s: '/app/settings',
};

interface KeyLine {
  keys: readonly string[];
  text: string;
}

/** Every key of the product, by the place where it works, as the help shows them. */
export const keyHelp: readonly { place: string; lines: readonly KeyLine[] }[] = [
  {
    place: 'Everywhere',
    lines: [
      { keys: ['?'], text: 'Show these keys' },
      { keys: ['Ctrl K', '⌘ K'], text: 'Search coins, pages, presets and actions' },
      { keys: ['g d'], text: 'Dashboard' },
      { keys: ['g t'], text: 'Tokens' },
      { keys: ['g r'], text: 'Auto-Buy Rules' },
      { keys: ['g a'], text: 'Auto-Buy Strategies' },
      { keys: ['g x'], text: 'Transactions' },
      { keys: ['g p'], text: 'Positions' },
      { keys: ['g w'], text: 'Wallet' },
      { keys: ['g s'], text: 'Settings' },
      { keys: ['u'], text: 'Market cap in dollars or SOL' },
      { keys: ['Shift Esc'], text: 'Stop trading' },
    ],
  },
  {
    place: 'Lists of tokens',
    lines: [
      { keys: ['/'], text: 'Search' },
      { keys: ['j', 'k'], text: 'Next or previous row' },
      { keys: ['h', 'l'], text: 'Previous or next column of the board' },
      { keys: ['Enter'], text: 'Open the row' },
      { keys: ['w'], text: 'Watch the row' },
      { keys: ['c'], text: 'Copy the address of the row' },
      { keys: ['b 1', 'b 2', 'b 3'], text: 'Buy the row by P1 to P3, while quick trade is armed' },
      { keys: ['Space'], text: 'Pause or resume' },
      { keys: ['Esc'], text: 'Clear the search' },
    ],
  },
  {
    place: 'Page of a token',
    lines: [
      { keys: ['[', ']'], text: 'Previous or next coin of the list you came from; none after a reload' },
      { keys: ['Esc'], text: 'Back to the list' },
    ],
  },
];
