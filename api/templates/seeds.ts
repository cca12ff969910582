import type { TemplateInput } from '../../common/templates/model.ts';

/** A template of the first start. Its fixed id keeps simultaneous starts, and a start after a crash, from creating it twice. */
export interface Seed extends TemplateInput {
  id: string;
}

/** The templates of the first start, so that alerts have a text before an administrator writes one. */
export const seeds: readonly Seed[] = [
  {
    id: '000000000000000000000001',
    name: 'New token',
    type: 'new_token',
    template: `🆕 New token: {token.name} ({token.symbol})

Price: {token.price} SOL
Liquidity: {token.liquidity} SOL
Risk: {token.risk} of 100
Created {timeAgo(token.createdAt)}

{token.address}`,
    isDefault: true,
  },
  {
    id: '000000000000000000000002',
    name: 'New token, in one line',
    type: 'new_token',
    template: '{token.symbol}: {token.price} SOL, risk {token.risk} of 100, {token.address}',
    isDefault: false,
  },
  {
    id: '000000000000000000000003',
    name: 'Price alert',
    type: 'price_alert',
    template: `📈 {token.name} ({token.symbol}) is on the move

Price: {token.price} SOL
Market cap: {token.marketCap} USD
Liquidity: {token.liquidity} SOL
Holders: {token.holders}
Risk: {token.risk} of 100

{token.address}`,
    isDefault: true,
  },
];
