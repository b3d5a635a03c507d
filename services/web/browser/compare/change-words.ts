import { text } from '../../texts/text.js'
import type { ChangeKind, NodeChange, NodeValue } from '../document/changes.js'
import { valueText } from '../viewer/tree/value-text.js'

/** What has happened to a value or a row, and whether a contract does not allow it. */
export function changeName(kind: ChangeKind, isBroken: boolean): string {
  const name = text(`compare.${kind}`)
  return isBroken ? `${name}, ${text('compare.breaks')}` : name
}

/** The words of a row of a tree: the change of the value, or the number of changes within it. */
export function changeText(
  { kind, before, count, breaks }: Omit<NodeChange, 'said'>,
  value: NodeValue,
): string {
  const isParent = value.childCount > 0
  if (kind === null) return isParent ? text('compare.changes', { count }) : valueText(value)
  const isBroken = breaks !== undefined
  if (kind === 'moved') {
    const from = text('compare.movedFrom', { index: before?.preview ?? '' })
    return isBroken ? `${from}, ${breaks}` : from
  }
  const named = changeName(kind, isBroken)
  if (isParent) return named
  const values = before === null ? valueText(value) : `${valueText(before)} → ${valueText(value)}`
  return `${values}, ${named}`
}
