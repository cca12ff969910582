/** The longest message Telegram takes, UTF-16 units. */
export const MESSAGE_MAX = 4_096;

/**
 * `{token.name}`, or `{timeAgo(token.createdAt)}`. Any other use of braces is plain text. Each part has a bound, so that
 * no text makes the search slow.
 */
const PLACEHOLDER = /\{([A-Za-z][\w.]{0,60}(?:\([\w.]{0,60}\))?)\}/g;
const FIRST_OF_PAIR = /[\uD800-\uDBFF]$/;

/** A text with its variables filled in. `unknown`: names in it that are no variable, each once, in the order of the text. */
export interface Rendered {
  text: string;
  unknown: string[];
}

/**
 * Fills in `variables`, by name. What is no variable stays as it is written, and what was filled in is never read again,
 * so that a token can't put a placeholder into its name. Nothing in the text is run as code. The result is plain text of at
 * most 4,096 UTF-16 units: the rest is cut off.
 */
export function renderTemplate(text: string, variables: Readonly<Record<string, string>>): Rendered {
  const unknown = new Set<string>();
  const filled = text.replaceAll(PLACEHOLDER, (written: string, name: string) => {
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    if (value !== undefined) return value;
    unknown.add(name);
    return written;
  });
  return { text: cut(filled), unknown: [...unknown] };
}

/** A character outside the basic plane takes two units, which stay or go together. */
function cut(text: string): string {
  return text.length <= MESSAGE_MAX ? text : text.slice(0, MESSAGE_MAX).replace(FIRST_OF_PAIR, '');
}
