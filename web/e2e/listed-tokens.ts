import type { Page } from '@playwright/test';
import { tokenCalls } from '../../common/tokens/http.ts';
import type { Token } from '../../common/tokens/model.ts';

/** Returns the tokens of the last hour as the server lists them, newest first. */
export async function newestTokens(page: Page): Promise<Token[]> {
  const reply = await page.request.get(tokenCalls.new.path);
  return tokenCalls.new.output.parse(await reply.json());
}

/** Returns the tokens in a page of the server's list. `query`: order and length, such as `limit=5`. */
export async function listedTokens(page: Page, query: string): Promise<Token[]> {
  const reply = await page.request.get(`${tokenCalls.list.path}?${query}`);
  return tokenCalls.list.output.parse(await reply.json());
}

/** Returns the addresses of the tokens in a page of the server's list, as `listedTokens`. */
export async function listedAddresses(page: Page, query: string): Promise<string[]> {
  return (await listedTokens(page, query)).map(({ address }) => address);
}
