import type { AlertType } from '../../common/templates/model.ts';
import { renderTemplate } from '../../common/templates/render.ts';
import { tokenVariables } from '../../common/templates/variables.ts';
import type { Clock } from '../../common/time.ts';
import type { Token } from '../../common/tokens/model.ts';
import type { Templates } from '../templates/service.ts';
import type { AlertText } from './alerting.ts';

/** While an administrator has deleted all templates of a type, or made one that shows nothing, which Telegram refuses. */
const PLAIN: Record<AlertType, string> = {
  new_token: 'New token: {token.name} ({token.symbol}), {token.address}',
  price_alert: 'Price alert: {token.name} ({token.symbol}) is at {token.price} SOL, {token.address}',
};

const VISIBLE = /[^\s\p{C}\p{Z}]/u;

/** The text of an alert: the default template of its type, filled in. */
export function createAlertText({ templates, clock }: { templates: Pick<Templates, 'defaultOf'>; clock: Clock }) {
  return async function textOf(type: AlertType, token: Token): Promise<AlertText> {
    const found = await templates.defaultOf(type);
    const variables = tokenVariables(token, clock.now());
    const { text } = renderTemplate(found?.template ?? PLAIN[type], variables);
    const shown = VISIBLE.test(text) ? text : renderTemplate(PLAIN[type], variables).text;
    return { text: shown, template: found?.name ?? type };
  };
}
