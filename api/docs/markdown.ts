import MarkdownIt from 'markdown-it';

/** Our own text, but parsed as if it were not: no HTML passes through. */
export const markdown = new MarkdownIt({ html: false, linkify: false, typographer: true });

export type Token = ReturnType<typeof markdown.parse>[number];

/** The name of a heading in the address: `Auto-Buy Rules` is `auto-buy-rules`. */
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

/** The headings in their order. */
export function headingsOf(tokens: readonly Token[]): Heading[] {
  return tokens.flatMap((token, index) => {
    if (token.type !== 'heading_open') return [];
    const text = plainText(tokens[index + 1]);
    return [{ level: Number(token.tag.slice(1)), text, anchor: anchorOf(text) }];
  });
}

/** An inline token without its marks. */
export function plainText(inline: Token | undefined): string {
  return (inline?.children ?? []).map((child) => child.content).join('');
}
