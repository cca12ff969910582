import type { AlertType, TokenAlertType } from '../../common/templates/model.ts';
import { renderTemplate } from '../../common/templates/render.ts';
import { tokenVariables } from '../../common/templates/variables.ts';
import type { Clock } from '../../common/time.ts';
import type { Token } from '../../common/tokens/model.ts';
import type { Templates } from '../templates/service.ts';

/** Used when a type has no template, or one that renders to nothing visible, which Telegram refuses. */
const PLAIN: Record<AlertType, string> = {
  new_token: 'New token: {token.name} ({token.symbol}), {token.address}',
  price_alert: 'Price alert: {token.name} ({token.symbol}) is at {token.price} SOL, {token.address}',
  preset_match: '{token.name} ({token.symbol}) {alert.reason}, {token.address}',
  price_target: '{token.name} ({token.symbol}): {alert.reason}, {token.address}',
  trade_bought: 'Bought: {trade.tokens} {token.name} ({token.symbol}) for {trade.sol} SOL, {trade.network}',
  trade_sold:
    'Sold: {trade.tokens} {token.name} ({token.symbol}) for {trade.sol} SOL, profit {trade.profit}, {trade.network}',
  trade_failed: 'Order failed: {trade.side} {token.name} ({token.symbol}), {trade.network}. {trade.reason}',
  trade_unknown: 'No verdict yet: {trade.side} {token.name} ({token.symbol}), {trade.network}',
  trading_stopped: 'Trading stopped. {trade.reason}',
  exit_stuck: 'The sale of {token.name} ({token.symbol}) does not get through, {trade.network}',
  wallet_replaced: 'An administrator is replacing your wallet. {trade.reason}',
  password_exposed: 'Your password was sent with a wrong code of two-step login. Change it if it was not you.',
};

const VISIBLE = /[^\s\p{C}\p{Z}]/u;

/** The text of an alert. */
export interface AlertText {
  text: string;
  /** Name of the template. */
  template: string;
}

interface TextDeps {
  templates: Pick<Templates, 'defaultOf'>;
}

/** Reads the default template of a type, and returns the function that fills it in. */
export type ReadTemplate = (
  type: AlertType,
) => Promise<(variables: Readonly<Record<string, string | undefined>>) => AlertText>;

/** Creates the reader of the default templates. */
export function createTemplateReader({ templates }: TextDeps): ReadTemplate {
  return async (type) => {
    const template = await templates.defaultOf(type);
    return (variables) => {
      const rendered = renderTemplate(template?.template ?? PLAIN[type], variables).text;
      const text = VISIBLE.test(rendered) ? rendered : renderTemplate(PLAIN[type], variables).text;
      return { text, template: template?.name ?? type };
    };
  };
}

/** Renders the text of an alert about a token. */
export function createAlertText(deps: TextDeps & { clock: Clock }) {
  const readTemplate = createTemplateReader(deps);
  return async function textOf(type: TokenAlertType, token: Token): Promise<AlertText> {
    const fill = await readTemplate(type);
    return fill(tokenVariables(token, deps.clock.now()));
  };
}
