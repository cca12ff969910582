/** Characters that no screen shows: they would make two names look like one. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\u2800]/gu;
/** More marks on one letter cover the lines above and below; no language needs as many. */
const MARK_TOWER = /\p{M}{3}/u;

/** Scripts in everyday use (Unicode Standard Annex 31, table 5). A name may be written in any single one. */
const SCRIPTS = [
  ...[
    'Arabic',
    'Armenian',
    'Bengali',
    'Cyrillic',
    'Devanagari',
    'Ethiopic',
    'Georgian',
    'Greek',
    'Gujarati',
    'Gurmukhi',
  ],
  ...['Hebrew', 'Kannada', 'Khmer', 'Lao', 'Malayalam', 'Myanmar', 'Oriya', 'Sinhala', 'Tamil', 'Telugu', 'Thaana'],
  ...['Thai', 'Tibetan'],
];
/** Combinations that one language writes with ("highly restrictive", Unicode Technical Standard 39, section 5.2). */
const COMBINATIONS = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hangul'],
];
/** Digits, punctuation, emoji and marks belong to every script. */
const SHARED = ['Common', 'Inherited'];
const ALPHABETS = [...SCRIPTS.map((script) => [script]), ...COMBINATIONS].map(
  (scripts) =>
    new RegExp(`^[${[...scripts, ...SHARED].map((script) => `\\p{Script_Extensions=${script}}`).join('')}]*$`, 'u'),
);

/** Returns the name without characters that no screen shows. */
export function visibleName(username: string): string {
  return username.replaceAll(INVISIBLE, '');
}

/** Returns why a new name could be taken for another one, as a text for the user; null when it may be used. */
export function usernameProblem(username: string): string | null {
  const plain = username.normalize('NFKC');
  if (MARK_TOWER.test(plain)) return 'Username must have at most 2 marks on a letter';
  if (!ALPHABETS.some((alphabet) => alphabet.test(plain))) return 'Username must use the letters of one alphabet';
  return null;
}
