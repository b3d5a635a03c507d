/** What is left out. */
export const ignored: unique symbol = Symbol('ignored')

/** A value, or what is left of one that is ignored. */
export type Kept = Plain | typeof ignored

/** A value of JSON whose numbers are kept as `{ number: '1.0' }`. */
export type Plain = null | boolean | string | { readonly number: string } | readonly Plain[] | PlainObject

/** An object of JSON. */
export interface PlainObject {
  readonly members: Readonly<Record<string, Plain>>
}

/** A contract as it is written. */
export interface PlainContract {
  readonly compare?: 'values' | 'shape' | undefined
  readonly keys?: Readonly<Record<string, readonly string[]>> | undefined
  readonly ignore?: readonly string[] | undefined
  readonly tolerance?:
    | readonly {
        readonly path: string
        readonly absolute?: string
        readonly relative?: string
      }[]
    | undefined
  readonly pattern?: readonly { readonly path: string; readonly matches: string }[] | undefined
  readonly bounds?:
    | readonly {
        readonly path: string
        readonly change_max?: string
        readonly min?: string
        readonly max?: string
      }[]
    | undefined
  readonly order?: 'significant' | 'insignificant' | undefined
}

/** Whether a value is of this kind. */
export const isNumber = (value: Kept): value is { readonly number: string } =>
  typeof value === 'object' && value !== null && 'number' in value
/** Whether a value is of this kind. */
export const isObject = (value: Kept): value is PlainObject =>
  typeof value === 'object' && value !== null && 'members' in value
/** Whether a value is of this kind. */
export const isArray = (value: Kept): value is readonly Plain[] => Array.isArray(value)

/** A value as text of JSON. */
export function plainText(value: Plain): string {
  if (isNumber(value)) return value.number
  if (isArray(value)) return `[${value.map(plainText).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value)
  return `{${Object.entries(value.members)
    .map(([key, member]) => `${JSON.stringify(key)}:${plainText(member)}`)
    .join(',')}}`
}
