import type { Token } from '../../../common/tokens/model.ts';
import type { FeedEntry } from '../model/events.ts';
import type { ListName } from '../model/lists.ts';
import { createFeedModel, type FeedModel, type ListResponse } from '../model/model.ts';
import { address, NOON, token } from './build.ts';

export const EPOCH = 'epoch-1';

/** The event of a new token. */
export function added(seq: number, number: number, fields: Partial<Token> = {}): FeedEntry {
  return { event: 'new-token', payload: { seq, token: token(number, fields) } };
}

/** The event of a new price; it has no rate, so the market cap becomes unknown. */
export function patched(seq: number, number: number, version: number, price: number): FeedEntry {
  return {
    event: 'token-updates',
    payload: {
      seq,
      at: NOON + seq,
      solUsd: null,
      patches: [{ number: number + 1, version, price }],
    },
  };
}

export function removed(seq: number, ...numbers: number[]): FeedEntry {
  return { event: 'tokens-removed', payload: { seq, addresses: numbers.map(address) } };
}

/** A REST response with a list, read at a position of the feed. */
export function response(list: ListName, seq: number, tokens: Token[], more: Partial<ListResponse> = {}): ListResponse {
  return { list, kind: 'first', tokens, cursor: { epoch: EPOCH, seq }, total: tokens.length, more: false, ...more };
}

/** A model whose feed is connected. */
export function connected(head = 0): FeedModel {
  const model = createFeedModel(() => NOON);
  model.hello({ epoch: EPOCH, seq: head });
  return model;
}

export const rows = (model: FeedModel, list: ListName) => model.state.lists[list].addresses;
export const price = (model: FeedModel, number: number) => model.state.tokens.get(address(number))?.price;
