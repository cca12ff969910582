import { createHash, randomBytes } from 'node:crypto';
import type Koa from 'koa';
import { DAY } from '../../common/time.ts';

const COOKIE = 'mintwatch.known';
const COOKIE_AGE = 365 * DAY;
const SECRET_BYTES = 16;
/** Most accounts that a browser remembers, newest first. */
const MAX_ACCOUNTS = 5;
const FORM = /^[\w-]{22}(\.[\w-]{16}){1,5}$/;

/**
 * Returns the secret of this browser when the account has logged in here before; null otherwise. `account`: `loginKey`.
 * The cookie is signed, and grants nothing but a limit of its own for wrong passwords.
 */
export function knownBrowser(ctx: Koa.Context, account: string): string | null {
  const [secret, ...accounts] = readCookie(ctx);
  return secret !== undefined && accounts.includes(accountMark(account)) ? secret : null;
}

/** Remembers that the account has logged in from this browser. */
export function rememberBrowser(ctx: Koa.Context, account: string): void {
  const [secret = randomBytes(SECRET_BYTES).toString('base64url'), ...accounts] = readCookie(ctx);
  const mark = accountMark(account);
  const marks = [mark, ...accounts.filter((other) => other !== mark)].slice(0, MAX_ACCOUNTS);
  const options = { signed: true, httpOnly: true, sameSite: 'lax', maxAge: COOKIE_AGE, path: '/api' } as const;
  ctx.cookies.set(COOKIE, [secret, ...marks].join('.'), options);
}

function readCookie(ctx: Koa.Context): string[] {
  const text = ctx.cookies.get(COOKIE, { signed: true }) ?? '';
  return FORM.test(text) ? text.split('.') : [];
}

/** Returns a short mark of an account, since names are long and may hold any character. */
function accountMark(account: string): string {
  return createHash('sha256').update(account).digest('base64url').slice(0, 16);
}
