import type { AlertType } from '../../common/templates/model.ts';
import { renderTemplate } from '../../common/templates/render.ts';
import { tokenVariables } from '../../common/templates/variables.ts';
import type { Token } from '../../common/tokens/model.ts';
import type { Clock } from '../market/sources/source.ts';
import type { Templates } from '../templates/service.ts';
import type { AlertText } from './alerting.ts';

/** While an administrator has deleted all templates of a type. */
const PLAIN: Record<AlertType, string> = {
  new_token: 'New token: {token.name} ({token.symbol}), {token.address}',
  price_alert: 'Price alert: {token.name} ({token.symbol}) is at {token.price} SOL, {token.address}',
};

/** The text of an alert: the default template of its type, filled in. */
export function createAlertText({ templates, clock }: { templates: Pick<Templates, 'defaultOf'>; clock: Clock }) {
  return async function textOf(type: AlertType, token: Token): Promise<AlertText> {
    const found = await templates.defaultOf(type);
    const { text } = renderTemplate(found?.template ?? PLAIN[type], tokenVariables(token, clock.now()));
    return { text, template: found?.name ?? type };
  };
}
