import MarkdownIt from 'markdown-it';

/** The parser of the guide. HTML is not passed through, although the text is trusted. */
export const markdown = new MarkdownIt({ html: false, linkify: false, typographer: true });

export type Token = ReturnType<typeof markdown.parse>[number];

/** Returns the anchor of a heading: `Auto-Buy Rules` → `auto-buy-rules`. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

export interface Heading {
  level: number;
  text: string;
  anchor: string;
}

/** Returns the headings in order. */
export function headingsOf(tokens: readonly Token[]): Heading[] {
  return tokens.flatMap((token, index) => {
    if (token.type !== 'heading_open') return [];
    const text = plainText(tokens[index + 1]);
    return [{ level: Number(token.tag.slice(1)), text, anchor: anchorOf(text) }];
  });
}

/** Returns the text of an inline token without markup. */
export function plainText(inline: Token | undefined): string {
  return (inline?.children ?? []).map((child) => child.content).join('');
}
