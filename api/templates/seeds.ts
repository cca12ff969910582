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
  {
    id: '000000000000000000000004',
    name: 'Bought',
    type: 'trade_bought',
    template: `Bought {token.name} ({token.symbol}), {trade.network}

{trade.tokens} tokens for {trade.sol} SOL
Left your wallet: {trade.total} SOL with all costs
Asked for by: {trade.by}

{token.address}`,
    isDefault: true,
  },
  {
    id: '000000000000000000000005',
    name: 'Sold',
    type: 'trade_sold',
    template: `Sold {token.name} ({token.symbol}), {trade.network}

{trade.tokens} tokens for {trade.sol} SOL
Arrived in your wallet: {trade.total} SOL after all costs
Profit: {trade.profit}
Asked for by: {trade.by}

{token.address}`,
    isDefault: true,
  },
  {
    id: '000000000000000000000006',
    name: 'Order failed',
    type: 'trade_failed',
    template: `Order failed: {trade.side} {token.name} ({token.symbol}), {trade.network}

{trade.reason}
Asked for by: {trade.by}

{token.address}`,
    isDefault: true,
  },
  {
    id: '000000000000000000000007',
    name: 'No verdict yet',
    type: 'trade_unknown',
    template: `No verdict yet: {trade.side} {token.name} ({token.symbol}), {trade.network}

The chain has not decided this order in time. It is followed to its end, and nothing more is signed for it.

{token.address}`,
    isDefault: true,
  },
  {
    id: '000000000000000000000008',
    name: 'Trading stopped',
    type: 'trading_stopped',
    template: `Trading stopped

{trade.reason}`,
    isDefault: true,
  },
  {
    id: '000000000000000000000009',
    name: 'Sale does not get through',
    type: 'exit_stuck',
    template: `The sale of {token.name} ({token.symbol}) does not get through, {trade.network}

{trade.tokens} tokens are still yours. Each further price tries again; you can also sell them yourself.

{token.address}`,
    isDefault: true,
  },
  {
    id: '00000000000000000000000a',
    name: 'Password known to others',
    type: 'password_exposed',
    template: `A new browser sent your password with a wrong code. If it was not you, change your password now: Settings, Security.

Account activity shows the address.`,
    isDefault: true,
  },
  {
    id: '00000000000000000000000b',
    name: 'Wallet replaced',
    type: 'wallet_replaced',
    template: `An administrator is replacing your wallet

{trade.reason}`,
    isDefault: true,
  },
  {
    id: '00000000000000000000000c',
    name: 'Preset matched',
    type: 'preset_match',
    template: `🔔 {token.name} ({token.symbol}) {alert.reason}

Price: {token.price} SOL
Market cap: {token.marketCap} USD
Liquidity: {token.liquidity} SOL
Holders: {token.holders}
Risk: {token.risk} of 100
Created {timeAgo(token.createdAt)}

{token.address}`,
    isDefault: true,
  },
  {
    id: '00000000000000000000000d',
    name: 'Price reached',
    type: 'price_target',
    template: `🎯 {token.name} ({token.symbol}): {alert.reason}

Price: {token.price} SOL
Market cap: {token.marketCap} USD

{token.address}`,
    isDefault: true,
  },
];
