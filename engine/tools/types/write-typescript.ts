import { OutputBuffer } from '../output-buffer.js'
import { inferShape } from './infer-shape.js'
import type { Samples } from './sample-options.js'
import { listedValues, typesOf, type ValueShape } from './value-shape.js'

const unitsMax = 60

/** The name of a type for what a key holds: `shipping-address` becomes `ShippingAddress`. */
function typeName(key: string): string {
  const words = key.slice(0, unitsMax).split(/[^\p{L}\p{N}]+/u)
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  const isName = /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u
  if (isName.test(name)) return name
  return isName.test(`Of${name}`) ? `Of${name}` : 'Value'
}

/** The name of a type for the items of an array, or the members of a dictionary, whose type would have this name. */
function itemName(name: string): string {
  if (/[a-z]{2}ies$/.test(name)) return `${name.slice(0, -3)}y`
  if (/[A-Za-z]{2}[^isu\W]s$/.test(name)) return name.slice(0, -1)
  return name.endsWith('Item') ? name : `${name}Item`
}

interface TypeScriptOptions {
  readonly name: string
  readonly declare: 'interface' | 'type'
  readonly readonly: boolean
  readonly samples: Samples
  readonly enums: boolean
}

const plainKey = /^[A-Za-z_$][\w$]*$/

/** Declares the types of shapes; objects that are alike have one type. */
class TypeWriter {
  private readonly options: TypeScriptOptions
  private readonly names = new Set<string>()
  /** The names of types by what stands in their braces. */
  private readonly byBody = new Map<string, string>()
  /** In the order in which their objects begin; `null` for those that were alike. */
  private readonly declarations: (string | null)[] = []

  constructor(options: TypeScriptOptions) {
    this.options = options
  }

  document(shape: ValueShape): readonly string[] {
    const { name } = this.options
    this.names.add(name)
    const isRecord = typesOf(shape).join() === 'object' && (shape.members?.size ?? 0) > 0
    if (isRecord) this.declared(shape, name)
    else this.declarations.unshift(`export type ${name} = ${this.typeOf(shape, name)}\n`)
    return this.declarations.filter((declaration) => declaration !== null)
  }

  private typeOf(shape: ValueShape, name: string): string {
    const types: string[] = []
    if (shape.objects > 0) types.push(this.objectType(shape, name))
    if (shape.arrays > 0) types.push(this.arrayType(shape.items, name))
    if (shape.strings > 0) types.push(this.stringType(shape))
    if (shape.integers + shape.decimals > 0) types.push('number')
    if (shape.booleans > 0) types.push('boolean')
    if (shape.nulls > 0) types.push('null')
    return types.length === 0 ? 'unknown' : types.join(' | ')
  }

  private stringType(shape: ValueShape): string {
    const listed = this.options.enums ? listedValues(shape) : null
    return listed?.map((value) => JSON.stringify(value)).join(' | ') ?? 'string'
  }

  private arrayType(items: ValueShape | null, name: string): string {
    const type = items === null ? 'unknown' : this.typeOf(items, itemName(name))
    const isSimple = !type.includes(' ') || /^\{[^{}]*\}$/.test(type)
    return `${this.modifier}${isSimple ? type : `(${type})`}[]`
  }

  private get modifier(): string {
    return this.options.readonly ? 'readonly ' : ''
  }

  private objectType(shape: ValueShape, name: string): string {
    const { members, anyMember, isIncomplete } = shape
    if (members === null || members.size === 0) {
      const isEmpty = members !== null && !isIncomplete
      const type = isEmpty ? 'never' : anyMember === null ? 'unknown' : this.typeOf(anyMember, itemName(name))
      return `{ ${this.modifier}[key: string]: ${type} }`
    }
    return this.declared(shape, this.freeName(name))
  }

  /** A name that no other type has. */
  private freeName(name: string): string {
    let free = name
    for (let number = 2; this.names.has(free); number += 1) free = `${name}${number}`
    this.names.add(free)
    return free
  }

  private declared(shape: ValueShape, name: string): string {
    const place = this.declarations.push(null) - 1
    const lines: string[] = []
    for (const [key, member] of shape.members ?? []) {
      const written = plainKey.test(key) ? key : JSON.stringify(key)
      const isOptional = member.objects < shape.objects
      const type = this.typeOf(member.shape, typeName(key))
      lines.push(`  ${this.modifier}${written}${isOptional ? '?' : ''}: ${type}\n`)
    }
    if (shape.isIncomplete) lines.push(`  ${this.modifier}[key: string]: unknown\n`)
    const body = lines.join('')
    const known = this.byBody.get(body)
    if (known !== undefined) {
      this.names.delete(name)
      return known
    }
    this.byBody.set(body, name)
    const isInterface = this.options.declare === 'interface'
    this.declarations[place] =
      `export ${isInterface ? 'interface' : 'type'} ${name} ${isInterface ? '' : '= '}{\n${body}}\n`
    return name
  }
}

/** Types that all samples can be assigned to. */
export async function* writeTypeScript(
  input: AsyncIterable<Uint8Array>,
  options: TypeScriptOptions,
): AsyncGenerator<Uint8Array> {
  const shape = await inferShape(input, options.samples)
  const out = new OutputBuffer()
  for (const [at, declaration] of new TypeWriter(options).document(shape).entries()) {
    out.putText(at === 0 ? declaration : `\n${declaration}`)
    yield* out.takeFull()
  }
  yield* out.takeAll()
}
