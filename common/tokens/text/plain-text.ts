/** Code points without a shape that are no format characters: fillers, blanks and selectors. */
const BLANK_POINTS =
  '\\u034F\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180F\\u2800\\u3164\\uFE00-\\uFE0E\\uFFA0\\u{E0100}-\\u{E01EF}';
/** Control, direction and invisible characters, each with the emoji before it, to which a joiner may belong. */
const HIDDEN = new RegExp(
  `(\\p{Extended_Pictographic}\\uFE0F?\\p{EMod}?)?([\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Co}\\p{Cn}\\p{Cs}${BLANK_POINTS}])`,
  'gu',
);
const JOINER = '\u200D';
/** Nothing that a screen shows. */
const BLANK = /^[\s\p{C}\p{Default_Ignorable_Code_Point}\u2800]*$/u;
/** A mark that a reader could take for the beginning of an address, a mention, a tag or a command, before a visible character. */
const LINK_SIGN = /([.．。｡/@＠:#$])(?=[^\s\u2060])/gu;

/**
 * Returns a stranger's text on one line, '' when it shows nothing: without control, direction and invisible characters, which can
 * hide or reorder the text around them, and with at most two combining marks in a row. A joiner within an emoji stays.
 */
export function plainText(text: string): string {
  const plain = text
    .normalize('NFC')
    .replace(HIDDEN, keepEmojiJoiner)
    .replace(/(\p{M}{2})\p{M}+/gu, '$1')
    .replace(/\s+/gu, ' ')
    .trim();
  return isBlank(plain) ? '' : plain;
}

/** Returns whether no character of the text is visible. */
export function isBlank(text: string): boolean {
  return BLANK.test(text);
}

/** Returns the first `max` code points of the text, without a joiner at the end; the text itself when it is no longer. */
export function cutText(text: string, max: number): string {
  // A code point has one or two units, so a short text needs no look at each.
  if (text.length <= max) return text;
  const points = [...text];
  return points.length <= max
    ? text
    : points
        .slice(0, max)
        .join('')
        .replace(/\u200D$/u, '')
        .trimEnd();
}

/**
 * Returns the text with a word joiner after each sign that lets Telegram recognize addresses, @names, #tags, $tags and /commands in
 * plain text, so that the maker of a coin can't place a link in a message. The joiner is invisible and of no width.
 */
export function withoutLinks(text: string): string {
  return text.replace(LINK_SIGN, '$1\u2060');
}

function keepEmojiJoiner(whole: string, emoji: string | undefined, sign: string): string {
  if (emoji === undefined) return /[\n\r\t\v\f\u0085\u2028\u2029]/.test(sign) ? ' ' : '';
  return sign === JOINER ? whole : emoji;
}
