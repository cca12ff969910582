import type { AlertType } from '../../common/templates/model.ts';
import { renderTemplate } from '../../common/templates/render.ts';
import { tokenVariables } from '../../common/templates/variables.ts';
import type { Clock } from '../../common/time.ts';
import type { Token } from '../../common/tokens/model.ts';
import type { Templates } from '../templates/service.ts';
import type { AlertText } from './alert-writer.ts';

/** Used when a type has no template, or one that renders to nothing visible, which Telegram refuses. */
const PLAIN: Record<AlertType, string> = {
  new_token: 'New token: {token.name} ({token.symbol}), {token.address}',
  price_alert: 'Price alert: {token.name} ({token.symbol}) is at {token.price} SOL, {token.address}',
};

const VISIBLE = /[^\s\p{C}\p{Z}]/u;

/** Renders the text of an alert from the default template of its type. */
export function createAlertText({ templates, clock }: { templates: Pick<Templates, 'defaultOf'>; clock: Clock }) {
  return async function textOf(type: AlertType, token: Token): Promise<AlertText> {
    const template = await templates.defaultOf(type);
    const variables = tokenVariables(token, clock.now());
    const rendered = renderTemplate(template?.template ?? PLAIN[type], variables).text;
    const text = VISIBLE.test(rendered) ? rendered : renderTemplate(PLAIN[type], variables).text;
    return { text, template: template?.name ?? type };
  };
}
