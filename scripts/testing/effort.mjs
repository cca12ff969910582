/** @typedef {import('../../common/testing/effort.ts').Effort} Effort */

/**
 * Returns the effort that `TEST_EFFORT` names; `full` for any other value and without one.
 * @param {string | undefined} named
 * @returns {Effort}
 */
export const effortOf = (named) => (named === 'landing' || named === 'soak' ? named : 'full');
