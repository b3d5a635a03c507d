import {
  documentOf,
  endOf,
  firstByte,
  type JsonNodes,
  keyText,
  nodeAfter,
  valueText,
} from '../compare/json/json-nodes.js'
import { type Decimal, decimalOf, isWhole } from '../decimal.js'
import { type JsonType, stringBetween, typeOf } from '../json-bytes/json-bytes.js'

/** The type of a value. */
export function typeAt(nodes: JsonNodes, node: number): JsonType {
  return typeOf(firstByte(nodes, node))
}

/** The text of a string. */
export function stringAt(nodes: JsonNodes, node: number): string {
  return stringBetween(documentOf(nodes, node), nodes.starts[node] ?? 0, endOf(nodes, node))
}

/** A number; `null` for other values, and beyond what a decimal can be. */
export function decimalAt(nodes: JsonNodes, node: number): Decimal | null {
  return typeAt(nodes, node) === 'number' ? decimalOf(valueText(nodes, node)) : null
}

/** A number that counts something; `null` unless it is whole and not negative. */
export function countAt(nodes: JsonNodes, node: number): number | null {
  const decimal = decimalAt(nodes, node)
  if (decimal === null || decimal.isNegative || !isWhole(decimal)) return null
  return decimal.top > exactDigits
    ? Number.POSITIVE_INFINITY
    : Number(decimal.digits.padEnd(decimal.top, '0'))
}

/** Whole numbers of more digits are more than anything that is counted. */
const exactDigits = 15

/** The children of a container, in their order. */
export function* childrenAt(nodes: JsonNodes, container: number): Generator<number> {
  const end = nodeAfter(nodes, container)
  for (let child = container + 1; child < end; child = nodeAfter(nodes, child)) yield child
}

/** The key of a member. */
export function keyAt(nodes: JsonNodes, member: number): string {
  return keyText(nodes, nodes.keys[member] ?? 0)
}

/** The members of an object by their keys. */
export function membersAt(nodes: JsonNodes, object: number): ReadonlyMap<string, number> {
  return new Map([...childrenAt(nodes, object)].map((member) => [keyAt(nodes, member), member]))
}

/** Whether a value is `true`. */
export function isTrue(nodes: JsonNodes, node: number): boolean {
  return firstByte(nodes, node) === 0x74
}
