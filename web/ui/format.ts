import { DAY, HOUR, MINUTE, SECOND } from '../../common/time.ts';
/** Text of an unknown value; never 0. */
export const MISSING = '–';

type Known = number | null | undefined;

// `toLocaleString` with options constructs a formatter each time, which took longer than the rest of a row.
const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const twoDecimals = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const threeDecimals = new Intl.NumberFormat('en-US', { minimumFractionDigits: 3, maximumFractionDigits: 3 });

/** Steps of short figures; billions have two decimals, because a tenth is a hundred million. */
const steps = [
  { unit: 1e3, suffix: 'K', decimals: 1 },
  { unit: 1e6, suffix: 'M', decimals: 1 },
  { unit: 1e9, suffix: 'B', decimals: 2 },
  { unit: 1e12, suffix: 'T', decimals: 2 },
] as const;

/** Formats a figure short enough for a table: `950`, `12.5`, `1.2K`, `3.5M`, `2.10B`. */
export function compact(value: Known): string {
  if (value == null || !Number.isFinite(value)) return MISSING;
  return `${value < 0 ? '−' : ''}${compactSize(Math.abs(value))}`;
}

function compactSize(size: number): string {
  const plain = size >= 100 ? size.toFixed(0) : String(Number(size.toFixed(size >= 10 ? 1 : 2)));
  let text = plain;
  for (const { unit, suffix, decimals } of steps) {
    // Compares the rounded figure, which may belong to the next step: 999,960 is 1.0M, not 1000.0K.
    if (Number.parseFloat(text) < 1000) return text;
    text = `${(size / unit).toFixed(decimals)}${suffix}`;
  }
  return text;
}

/** Formats US dollars, short: `$1.2K`. */
export function usd(value: Known): string {
  const figure = compact(value);
  if (figure === MISSING) return figure;
  return figure.startsWith('−') ? `−$${figure.slice(1)}` : `$${figure}`;
}

/** Formats a market capitalization in US dollars with 2 decimals: `$412,350.12`. */
export function marketCap(value: Known): string {
  if (value == null || !Number.isFinite(value)) return MISSING;
  const figure = twoDecimals.format(Math.abs(value));
  return `${value < 0 ? '−' : ''}$${figure}`;
}

/** Formats US dollars without cents, for sums converted at a rate and not exact to the cent: `$1,675,020`, `< $1`. */
export function wholeUsd(value: Known): string {
  if (value == null || !Number.isFinite(value)) return MISSING;
  if (value > 0 && value < 1) return '< $1';
  return `${value < 0 ? '−' : ''}$${whole.format(Math.abs(value))}`;
}

/** Formats a count with thousands separators: `12,345`. */
export function count(value: Known): string {
  return value == null || !Number.isFinite(value) ? MISSING : whole.format(Math.round(value));
}

/** Significant digits of a price on screen. */
const PRICE_DIGITS = 4;
/** Number of zeros after the point from which they are a subscript. */
const ZERO_RUN = 4;
const subscripts = ['₀', '₁', '₂', '₃', '₄', '₅', '₆', '₇', '₈', '₉'];

/** Formats a price with four significant digits; a run of zeros becomes a subscript: 0.000001234 is `0.0₅1234`. */
export function price(value: Known): string {
  if (value == null || !Number.isFinite(value)) return MISSING;
  if (value === 0) return '0';
  const sign = value < 0 ? '−' : '';
  const size = Math.abs(value);
  if (size >= 1000) return `${sign}${whole.format(size)}`;
  if (size >= 1) return `${sign}${size.toPrecision(PRICE_DIGITS)}`;
  // Exponential form has digits and exponent without the noise of long decimals.
  const [digits = '0', exponent = '0'] = size.toExponential(PRICE_DIGITS - 1).split('e');
  const significant = digits.replace('.', '');
  const zeros = -Number(exponent) - 1;
  if (zeros < 0) return `${sign}${Number(digits).toFixed(PRICE_DIGITS - 1)}`;
  if (zeros < ZERO_RUN) return `${sign}0.${'0'.repeat(zeros)}${significant}`;
  const run = String(zeros).replace(/\d/g, (digit) => subscripts[Number(digit)] ?? digit);
  return `${sign}0.0${run}${significant}`;
}

/**
 * Formats a price with the same digits in plain decimals, for screen readers and copies, which do not know the subscript:
 * 0.000001234 is `0.000001234`.
 */
export function plainPrice(value: Known): string {
  return plainDecimals(price(value));
}

/** Replaces the subscripts of prices in a text by their zeros: `0.0₅1234 SOL` is `0.000001234 SOL`. */
export function plainDecimals(text: string): string {
  // A price has at most 323 zeros; a stranger's text may pretend to have more.
  return text.replace(/\b0\.0([₀-₉]{1,3})(\d+)/g, (_, run: string, digits: string) => {
    const zeros = Number(run.replace(/./g, (digit) => String(subscripts.indexOf(digit))));
    return `0.${'0'.repeat(zeros)}${digits}`;
  });
}

/** Smallest price that 8 decimals show with four digits. */
const LEAST_EXACT = 1e-5;

/** Formats a price with 8 decimals: `0.00012345`; a smaller one as lists do, since they would leave few of its digits. */
export function priceExact(value: Known): string {
  if (value == null || !Number.isFinite(value)) return MISSING;
  return value === 0 || Math.abs(value) >= LEAST_EXACT ? value.toFixed(8) : price(value);
}

const arrows = { up: '▲ ', down: '▼ ', flat: '' } as const;
const signs = { up: '+', down: '−', flat: '' } as const;

/** Formats a change in percent, signed, two decimals, with its arrow: `▲ +1.25%`, `▼ −3.20%`, `0.00%`. */
export function percentChange(value: Known): string {
  return `${arrows[directionOf(value)]}${signedPercent(value)}`;
}

/** Formats a change without an arrow: `+1.25%`, above 1,000 % as a factor: `×13.7`. */
export function signedPercent(value: Known): string {
  if (value == null || !Number.isFinite(value)) return MISSING;
  if (value > 1_000) return `×${(value / 100 + 1).toFixed(1)}`;
  return `${signs[directionOf(value)]}${Math.abs(value).toFixed(2)}%`;
}

/** Returns the direction of a change at two decimals. */
export function directionOf(value: Known): 'up' | 'down' | 'flat' {
  if (value == null || !Number.isFinite(value)) return 'flat';
  const shown = Number(value.toFixed(2));
  if (shown === 0) return 'flat';
  return shown > 0 ? 'up' : 'down';
}

/** Smallest liquidity with a figure, SOL. */
const LEAST_LIQUIDITY = 0.001;

/** Formats liquidity in SOL with 3 decimals: `12.345 SOL`, `< 0.001 SOL`. */
export function liquidity(value: Known): string {
  if (value == null || !Number.isFinite(value)) return MISSING;
  if (value < LEAST_LIQUIDITY) return '< 0.001 SOL';
  return `${threeDecimals.format(value)} SOL`;
}

/** Formats a share in percent, e.g. of a supply: `12.4%`. */
export function share(value: Known, decimals = 1): string {
  return value == null || !Number.isFinite(value) ? MISSING : `${value.toFixed(decimals)}%`;
}

type Moment = number | string | null | undefined;

/** Formats an age: `3s`, `5m`, `2h`, `4d`. `from` is epoch ms or ISO 8601, `now` epoch ms. */
export function age(from: Moment, now: number): string {
  const at = timeOf(from);
  if (at === null) return MISSING;
  // The server's clock may be slightly ahead of the browser's: the age is then 0.
  const passed = Math.max(0, now - at);
  if (passed < MINUTE) return `${Math.floor(passed / SECOND)}s`;
  if (passed < HOUR) return `${Math.floor(passed / MINUTE)}m`;
  if (passed < DAY) return `${Math.floor(passed / HOUR)}h`;
  return `${Math.floor(passed / DAY)}d`;
}

/** Formats the exact time for a tooltip: `2025-05-24 00:00:00 UTC`. */
export function utcTime(at: Moment): string {
  const time = timeOf(at);
  return time === null ? MISSING : `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** Formats the local time of day: `14:03:27`. */
export function clockTime(at: Moment): string {
  const time = timeOf(at);
  return time === null ? MISSING : new Date(time).toLocaleTimeString('en-GB');
}

/** Formats the local time of day, `14:03`, with the date once it is a day past: `1 Sept 2026, 14:03`. `now` is epoch ms. */
export function dayTime(at: Moment, now: number): string {
  const time = timeOf(at);
  if (time === null) return MISSING;
  const ofDay = clockTime(time).slice(0, 5);
  if (now - time < DAY) return ofDay;
  const date = new Date(time).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
  return `${date}, ${ofDay}`;
}

function timeOf(at: Moment): number | null {
  if (at == null) return null;
  const time = typeof at === 'number' ? at : Date.parse(at);
  return Number.isFinite(time) ? time : null;
}

/** Shortens an address to its first 6 and last 4 characters: `4k3Dyj…X7nP`. */
export function shortAddress(address: string | null | undefined): string {
  return cutAddress(address, 6);
}

/** Shortens an address for administrators' pages to its first 8 and last 4 characters: `4k3Dyjzv…X7nP`. */
export function adminAddress(address: string | null | undefined): string {
  return cutAddress(address, 8);
}

function cutAddress(address: string | null | undefined, head: number): string {
  if (!address) return MISSING;
  return address.length <= head + 6 ? address : `${address.slice(0, head)}…${address.slice(-4)}`;
}

/** Returns a text whose percent signs stay on the line of their figures; its length stays. */
export function keepPercents(text: string): string {
  return text.replaceAll(' %', '\u00A0%');
}
