import { createRequire } from 'node:module';
import path from 'node:path';
import pdfmake from 'pdfmake';
import type { Content, TDocumentDefinitions } from 'pdfmake/interfaces.js';
import { anchorOf, markdown, plainText, type Token } from './markdown.ts';

/** The font included in the library. */
const fonts = path.join(path.dirname(createRequire(import.meta.url).resolve('pdfmake/package.json')), 'fonts/Roboto');
const font = (name: string) => path.join(fonts, `Roboto-${name}.ttf`);
const roboto = {
  normal: font('Regular'),
  bold: font('Medium'),
  italics: font('Italic'),
  bolditalics: font('MediumItalic'),
};

/** Width of A4 without margins, in points. */
const PAGE_WIDTH = 595 - 2 * 56;
/** Largest height of a picture, in points: picture and text fit on one page. */
const PICTURE_HEIGHT = 250;
/** A longer table may continue on the next page. */
const UNBROKEN_ROWS = 20;
const MUTED = '#52606a';
const ACCENT = '#067147';
const LINE = '#dfe5e3';

/** Returns the guide as a PDF with a table of contents. `folder`: base of the picture links; no other files are read. */
export async function guidePdf(source: string, folder: string): Promise<Buffer> {
  pdfmake.setFonts({ Roboto: roboto });
  pdfmake.setUrlAccessPolicy(() => false);
  const images = path.join(folder, 'images') + path.sep;
  pdfmake.setLocalAccessPolicy((file) => path.dirname(file) === fonts || path.resolve(file).startsWith(images));
  return pdfmake.createPdf(definition(source, folder)).getBuffer();
}

function definition(source: string, folder: string): TDocumentDefinitions {
  const tokens = markdown.parse(source, {});
  const content = blocks({ tokens, at: 0, folder });
  const [title, ...rest] = content;
  const contents: Content = {
    toc: { title: { text: 'Contents', style: 'h2', margin: [0, 24, 0, 8] }, numberStyle: { color: MUTED } },
    pageBreak: 'after',
  };
  return {
    content: title === undefined ? [] : [title, contents, ...rest],
    info: { title: plainText(tokens[1]), author: 'Mintwatch' },
    pageMargins: [56, 56, 56, 64],
    defaultStyle: { fontSize: 10.5, lineHeight: 1.35 },
    styles: {
      h1: { fontSize: 26, bold: true, margin: [0, 0, 0, 10] },
      h2: { fontSize: 17, bold: true, margin: [0, 18, 0, 6] },
      h3: { fontSize: 12.5, bold: true, margin: [0, 12, 0, 4] },
      // Without it a line could break after the slash of a command.
      code: { background: '#eef1f0', fontSize: 9.5, noWrap: true },
    },
    footer: (page, pages) => ({
      text: `${page} / ${pages}`,
      alignment: 'center',
      color: MUTED,
      fontSize: 9,
      margin: [0, 16],
    }),
  };
}

/** Position in the tokens; the functions below advance it past the tokens they read. */
interface Cursor {
  tokens: readonly Token[];
  at: number;
  folder: string;
}

/** Reads blocks up to and including the closing token of type `until`; without it, to the end. */
function blocks(cursor: Cursor, until?: string): Content[] {
  const content: Content[] = [];
  let leading: Content[] = [];
  while (cursor.at < cursor.tokens.length) {
    const token = cursor.tokens[cursor.at];
    cursor.at += 1;
    if (token === undefined || token.type === until) break;
    const inner = cursor.tokens[cursor.at];
    const next = block(token, cursor);
    if (next === null) continue;
    if (isLeadIn(token, inner)) {
      leading.push(next);
      continue;
    }
    // A heading must not be alone at the bottom of a page.
    content.push(leading.length === 0 ? next : { stack: [...leading, next], unbreakable: true });
    leading = [];
  }
  return [...content, ...leading];
}

/** Returns true for a heading, or a paragraph such as 'A strategy buys at a certain moment:'. `inner`: its inline token. */
function isLeadIn({ type, tag }: Token, inner: Token | undefined): boolean {
  if (type === 'heading_open') return tag !== 'h1';
  return type === 'paragraph_open' && plainText(inner).endsWith(':');
}

function block(token: Token, cursor: Cursor): Content | null {
  switch (token.type) {
    case 'heading_open':
      return heading(Number(token.tag.slice(1)), cursor);
    case 'paragraph_open':
      return paragraph(cursor, token.hidden);
    case 'bullet_list_open':
      return { ul: items(cursor, 'bullet_list_close'), margin: [0, 0, 0, 6] };
    case 'ordered_list_open':
      return { ol: items(cursor, 'ordered_list_close'), margin: [0, 0, 0, 6] };
    case 'blockquote_open':
      return quote(blocks(cursor, 'blockquote_close'));
    case 'table_open':
      return table(cursor);
    case 'fence':
    case 'code_block':
      return { text: token.content.trimEnd(), style: 'code', margin: [0, 2, 0, 8] };
    case 'hr':
      return null;
    default:
      // The build must fail rather than omit a part silently.
      throw new Error(`the user guide's PDF does not support the Markdown of ${token.type}`);
  }
}

function heading(level: number, cursor: Cursor): Content {
  const inline = take(cursor);
  const text = plainText(inline);
  cursor.at += 1; // heading_close
  return {
    text,
    style: `h${Math.min(level, 3)}`,
    id: anchorOf(text),
    ...(level === 2 ? { tocItem: true } : {}),
    ...(level === 3 ? { tocItem: true, tocMargin: [14, 0, 0, 0] as [number, number, number, number] } : {}),
  };
}

function paragraph(cursor: Cursor, tight: boolean): Content {
  const inline = take(cursor);
  cursor.at += 1; // paragraph_close
  const [only] = inline?.children ?? [];
  if (only?.type === 'image' && inline?.children?.length === 1) return picture(only, cursor.folder);
  // Paragraphs are short, so they need no page break inside.
  return { text: spans(inline), unbreakable: true, margin: [0, 0, 0, tight ? 2 : 6] };
}

function picture(token: Token, folder: string): Content {
  return {
    stack: [
      { image: path.join(folder, token.attrGet('src') ?? ''), fit: [PAGE_WIDTH, PICTURE_HEIGHT] },
      { text: token.content, color: MUTED, fontSize: 9, margin: [0, 4, 0, 0] },
    ],
    unbreakable: true,
    margin: [0, 6, 0, 12],
  };
}

function items(cursor: Cursor, until: string): Content[] {
  const content: Content[] = [];
  while (take(cursor)?.type === 'list_item_open') content.push({ stack: blocks(cursor, 'list_item_close') });
  if (cursor.tokens[cursor.at - 1]?.type !== until) throw new Error(`a list of the user guide has no ${until}`);
  return content;
}

function quote(content: Content[]): Content {
  return {
    table: { widths: ['*'], body: [[{ stack: content, margin: [8, 4, 8, 0] }]] },
    layout: {
      hLineWidth: () => 0,
      vLineWidth: (column) => (column === 0 ? 2 : 0),
      vLineColor: () => ACCENT,
    },
    margin: [0, 4, 0, 10],
  };
}

function table(cursor: Cursor): Content {
  const body: Content[][] = [];
  let row: Content[] = [];
  for (let token = take(cursor); token !== undefined && token.type !== 'table_close'; token = take(cursor)) {
    if (token.type === 'tr_open') row = [];
    if (token.type === 'th_open') row.push({ text: plainText(take(cursor)), bold: true, color: MUTED });
    // The first column contains names and is as wide as the longest.
    if (token.type === 'td_open') row.push({ text: spans(take(cursor)), noWrap: row.length === 0 });
    if (token.type === 'tr_close') body.push(row);
  }
  const columns = body[0]?.length ?? 1;
  return {
    table: { headerRows: 1, widths: ['auto', ...Array.from({ length: columns - 1 }, () => '*')], body },
    layout: { hLineWidth: (line) => (line === 0 ? 0 : 0.5), vLineWidth: () => 0, hLineColor: () => LINE },
    unbreakable: body.length <= UNBROKEN_ROWS,
    margin: [0, 2, 0, 10],
  };
}

function take(cursor: Cursor): Token | undefined {
  cursor.at += 1;
  return cursor.tokens[cursor.at - 1];
}

/** Returns the text of a block with its markup: bold, italic, code, internal and external links. */
function spans(inline: Token | undefined): Content[] {
  let bold = false;
  let italics = false;
  let link: string | null = null;
  return (inline?.children ?? []).flatMap((child): Content[] => {
    const marks = { bold, italics, ...(link === null ? {} : linked(link)) };
    switch (child.type) {
      case 'text':
        return child.content === '' ? [] : [{ text: child.content, ...marks }];
      case 'code_inline':
        return [{ text: child.content, ...marks, style: 'code' }];
      case 'softbreak':
        return [{ text: ' ', ...marks }];
      case 'hardbreak':
        return [{ text: '\n' }];
      case 'strong_open':
      case 'strong_close':
        bold = child.type === 'strong_open';
        return [];
      case 'em_open':
      case 'em_close':
        italics = child.type === 'em_open';
        return [];
      case 'link_open':
      case 'link_close':
        link = child.type === 'link_open' ? child.attrGet('href') : null;
        return [];
      default:
        throw new Error(`the user guide's PDF does not support the Markdown of ${child.type} within a line`);
    }
  });
}

function linked(address: string) {
  const target = address.startsWith('#') ? { linkToDestination: address.slice(1) } : { link: address };
  return { ...target, color: ACCENT };
}
