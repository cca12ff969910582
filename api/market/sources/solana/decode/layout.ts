/**
 * Borsh layouts of program events and accounts. Fields of a layout have only ever been appended, so all versions share their
 * beginning: `required` fields are necessary, `appended` ones came with newer programs and are absent in older events.
 * Integers are little-endian, strings and lists carry a u32 length, an enum its variant as u8.
 */
export interface Layout {
  /** First eight bytes, hex: sha256 of `event:<name>` or `account:<name>`, as Anchor programs write it. */
  discriminator: string;
  required: readonly Field[];
  appended: readonly Field[];
}

export type Field = readonly [name: string, type: FieldType];
export type FieldType =
  | keyof ScalarTypes
  | { readonly struct: readonly Field[] }
  /** A list of structures. */
  | { readonly list: readonly Field[] }
  /** An enum whose variants carry fields, in the order of their numbers. */
  | { readonly variants: readonly Variant[] };
export type Variant = readonly [name: string, fields: readonly Field[]];

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

type ValueOf<Type extends FieldType> = Type extends keyof ScalarTypes
  ? ScalarTypes[Type]
  : Type extends { readonly struct: infer Fields extends readonly Field[] }
    ? Values<Fields>
    : Type extends { readonly list: infer Fields extends readonly Field[] }
      ? Values<Fields>[]
      : Type extends { readonly variants: infer Variants extends readonly Variant[] }
        ? { [V in Variants[number] as V[0]]: { variant: V[0] } & Values<V[1]> }[Variants[number][0]]
        : never;
type Values<Fields extends readonly Field[]> = { [F in Fields[number] as F[0]]: ValueOf<F[1]> };

/** Layouts of one program by the name of the event. */
export type Layouts = Readonly<Record<string, Layout>>;

/** Fields of an event; appended ones may be missing. */
export type FieldsOf<Table extends Layouts, Name extends keyof Table> = Values<Table[Name]['required']> &
  Partial<Values<Table[Name]['appended']>>;

/** A decoded event of a program. */
export type EventOf<Table extends Layouts> = {
  [Name in keyof Table & string]: { name: Name; fields: FieldsOf<Table, Name> };
}[keyof Table & string];
