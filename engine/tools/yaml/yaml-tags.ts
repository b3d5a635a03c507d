import { isMap, isScalar, isSeq, type Node, type Scalar } from 'yaml'
import { jsonNumberOf } from './yaml-number.js'

const ofYaml = 'tag:yaml.org,2002:'

/** A tag as it is written: `!Ref`, `!!set`. */
export function tagText(tag: string): string {
  if (tag.startsWith(ofYaml)) return `!!${tag.slice(ofYaml.length)}`
  return tag.startsWith('!') ? tag : `!<${tag}>`
}

/** The tag of a node as it is written, unless it only names the kind that JSON has as well. */
export function foreignTag(node: Node): string | null {
  const { tag } = node as { readonly tag?: string }
  if (tag === undefined || tag === '!') return null
  const text = tagText(tag)
  const plain = isScalar(node) ? /^!!(?:str|int|float|bool|null)$/ : isMap(node) ? /^!!map$/ : /^!!seq$/
  return plain.test(text) ? null : text
}

/** Whether a scalar is what its tag says; the library reads one that is not as a string. */
export function fitsTag({ tag, value, source = '' }: Scalar): boolean {
  switch (tag) {
    case `${ofYaml}int`:
      return typeof value === 'bigint'
    case `${ofYaml}float`:
      return typeof value !== 'string' || jsonNumberOf(source, Number.NaN) !== null
    case `${ofYaml}bool`:
      return typeof value === 'boolean'
    case `${ofYaml}null`:
      return value === null
    default:
      return true
  }
}

/** The short forms of CloudFormation's functions. */
const cloudFormation =
  /^!(?:And|Base64|Cidr|Equals|FindInMap|GetAtt|GetAZs|If|ImportValue|Join|Length|Not|Or|Select|Split|Sub|ToJsonString|Transform)$/
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** What a node with a tag stands for in JSON. */
export type TagMeaning =
  /** An object with this one member, whose value is the node or this JSON text. */
  | { readonly kind: 'member'; readonly name: string; readonly json?: string }
  /** A JSON text. */
  | { readonly kind: 'json'; readonly json: string }
  /** The node as it is without its tag. */
  | { readonly kind: 'node' }

/** The meaning of a tag that has one in JSON: CloudFormation's, and the types of YAML that JSON spells otherwise. */
export function meaningOf(node: Node, tag: string): TagMeaning | null {
  if (tag === '!Ref' || tag === '!Condition') return { kind: 'member', name: tag.slice(1) }
  if (cloudFormation.test(tag)) {
    const name = `Fn::${tag.slice(1)}`
    const [, resource, attribute] = isScalar(node) ? (/^([^.]+)\.(.+)$/s.exec(String(node.value)) ?? []) : []
    return tag === '!GetAtt' && resource !== undefined
      ? { kind: 'member', name, json: JSON.stringify([resource, attribute]) }
      : { kind: 'member', name }
  }
  if (isScalar(node)) {
    const source = node.source ?? ''
    if (tag === '!!timestamp') return { kind: 'json', json: JSON.stringify(source) }
    const bytes = source.replaceAll(/\s/g, '')
    return tag === '!!binary' && base64.test(bytes) ? { kind: 'json', json: JSON.stringify(bytes) } : null
  }
  const isOfJson = isMap(node) ? tag === '!!set' : isSeq(node) && /^!!(?:omap|pairs)$/.test(tag)
  return isOfJson ? { kind: 'node' } : null
}
