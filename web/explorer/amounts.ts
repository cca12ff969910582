/** Returns base units of a token as an exact decimal with grouped thousands: `1234500`, 3 → `1,234.5`. */
export function unitsText(units: bigint, decimals: number): string {
  const digits = String(units < 0n ? -units : units).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals).replace(/\B(?=(\d{3})+$)/g, ',');
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return `${units < 0n ? '−' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

const SOL_DECIMALS = 9;

/** Returns lamports as an exact number of SOL. */
export function solText(lamports: number): string {
  return `${unitsText(BigInt(lamports), SOL_DECIMALS)} SOL`;
}

/** Returns a change with its sign; empty for none. */
export function changeText(units: bigint, decimals: number): string {
  if (units === 0n) return '';
  return units > 0n ? `+${unitsText(units, decimals)}` : unitsText(units, decimals);
}

/** Names of the programs that this chain runs, by their addresses. */
const programs: Readonly<Record<string, string>> = {
  '11111111111111111111111111111111': 'System',
  ComputeBudget111111111111111111111111111111: 'Compute budget',
  ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL: 'Associated token account',
  TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA: 'Token',
  TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb: 'Token-2022',
  '6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P': 'pump.fun',
  pAMMBay6oceH9fJKBRHGP5D4bD4sWpmSwMn52FMfXEA: 'PumpSwap',
  MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr: 'Memo',
};

/** Returns the name of a program; null for an unknown one. */
export function programName(address: string): string | null {
  return programs[address] ?? null;
}
