/**
 * Borsh layouts of program events and accounts. Fields of a layout have only ever been appended, so all versions share their
 * beginning: `required` fields are necessary, `appended` ones came with newer programs and are absent in older events.
 * Integers are little-endian, strings and lists carry a u32 length, an enum its variant as u8.
 */
export interface Layout {
  /** First eight bytes, hex: sha256 of `event:<name>` or `account:<name>`, as Anchor programs write it. */
  discriminator: string;
  required: Fields;
  appended?: Fields;
}

/** Fields by name, in the order of their bytes. */
export type Fields = { readonly [name: string]: FieldType };
export type FieldType =
  | keyof ScalarTypes
  | { readonly struct: Fields }
  /** A list of structures. */
  | { readonly list: Fields }
  /** An enum whose variants carry fields, in the order of their numbers. */
  | { readonly variants: Readonly<Record<string, Fields>> };

/** TypeScript types of the scalar fields. Amounts stay bigint until checked to fit a number. */
export interface ScalarTypes {
  /** base58 */
  pubkey: string;
  u8: number;
  u16: number;
  u64: bigint;
  i64: bigint;
  u128: bigint;
  i128: bigint;
  bool: boolean;
  string: string;
}

type ValueOf<Type> = Type extends keyof ScalarTypes
  ? ScalarTypes[Type]
  : Type extends { readonly struct: infer Inner }
    ? Values<Inner>
    : Type extends { readonly list: infer Inner }
      ? Values<Inner>[]
      : Type extends { readonly variants: infer Variants }
        ? { [Name in keyof Variants]: { variant: Name } & Values<Variants[Name]> }[keyof Variants]
        : never;
/** The values of fields. */
export type Values<Types> = { -readonly [Name in keyof Types]: ValueOf<Types[Name]> };

/** Layouts of one program by the name of the event. */
export type Layouts = Readonly<Record<string, Layout>>;

/** Fields of an event; appended ones may be missing. */
export type FieldsOf<Table extends Layouts, Name extends keyof Table> = Values<Table[Name]['required']> &
  (Table[Name] extends { readonly appended: infer Appended } ? Partial<Values<Appended>> : unknown);

/** A decoded event of a program. */
export type EventOf<Table extends Layouts> = {
  [Name in keyof Table & string]: { name: Name; fields: FieldsOf<Table, Name> };
}[keyof Table & string];
