/** Hint of the switch by which a plan buys. */
export const NEW_TOKENS_HINT = 'Buys only tokens that are detected after it is switched on.';
