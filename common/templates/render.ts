/** Longest message that Telegram accepts, in UTF-16 units. */
export const MESSAGE_MAX = 4_096;

/**
 * `{token.name}` or `{timeAgo(token.createdAt)}`. Any other use of braces is plain text. The length of each part is bounded,
 * so that no text makes the search slow.
 */
const PLACEHOLDER = /\{([A-Za-z][\w.]{0,60}(?:\([\w.]{0,60}\))?)\}/g;
const FIRST_OF_PAIR = /[\uD800-\uDBFF]$/;

/** A rendered text. `unknown`: names that are not variables, each once, in the order of the text. */
export interface Rendered {
  text: string;
  unknown: string[];
}

/**
 * Replaces placeholders by the values of `variables`. Unknown placeholders stay in the text, and values are not scanned for
 * placeholders, so a token can't inject one with its name. No part of the text is executed. Returns plain text of at most
 * 4,096 UTF-16 units; the rest is cut off.
 */
export function renderTemplate(text: string, variables: Readonly<Record<string, string | undefined>>): Rendered {
  const unknown = new Set<string>();
  const rendered = text.replaceAll(PLACEHOLDER, (placeholder: string, name: string) => {
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    if (value !== undefined) return value;
    unknown.add(name);
    return placeholder;
  });
  return { text: cutMessage(rendered), unknown: [...unknown] };
}

/** Cuts a message to what Telegram accepts, without splitting a surrogate pair. */
export function cutMessage(text: string): string {
  return text.length <= MESSAGE_MAX ? text : text.slice(0, MESSAGE_MAX).replace(FIRST_OF_PAIR, '');
}
