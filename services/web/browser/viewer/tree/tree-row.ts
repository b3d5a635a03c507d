import { text } from '../../../texts/text.js'
import type { TreeNode } from '../../document/document-reader.js'
import { breaksMark, element } from '../element.js'
import { rowText } from '../visible-text.js'
import type { OutlineRow } from './outline.js'
import { valueText } from './value-text.js'

export interface TreeRowParts {
  readonly id: string
  readonly row: OutlineRow
  /** The node of the row; missing until it is loaded. */
  readonly node: TreeNode | undefined
  readonly isOpen: boolean
  readonly isActive: boolean
  readonly isMarked: boolean
}

/** Deeper levels show their number instead of being indented, which would push them out of the page. */
const indentsMax = 12

/** The value of a row; in a comparison what it was and what it is. */
function valueElements(node: TreeNode, said: string): readonly (Node | string)[] {
  const { change, childCount, type } = node
  if (change === undefined) return [element('bdi', { class: `tree-value ${type}` }, said)]
  const { kind, before } = change
  if (kind === null || kind === 'moved' || childCount > 0)
    return [element('bdi', { class: 'tree-value' }, said)]
  const value = valueText(node)
  if (kind === 'removed') return [element('del', 'compare-before', value)]
  const now = element('ins', 'compare-after', value)
  return before === null ? [now] : [element('del', 'compare-before', valueText(before)), ' → ', now]
}

export function treeRow({ id, row, node, isOpen, isActive, isMarked }: TreeRowParts): HTMLElement {
  const { branch, index } = row
  const isContainer = node !== undefined && node.childCount > 0
  const classes = ['tree-row', isActive ? 'active' : '', isMarked ? 'marked' : '']
  const value = node === undefined ? '' : (node.change?.said ?? valueText(node))
  const key = node === undefined ? '' : rowText(String(node.key)) || '""'
  const made = element('div', {
    class: classes.filter((name) => name !== '').join(' '),
    attributes: {
      id,
      role: 'treeitem',
      'aria-level': branch.level,
      'aria-posinset': index + 1,
      'aria-setsize': branch.node.childCount,
      'aria-expanded': isContainer ? String(isOpen) : null,
      'aria-selected': String(isActive),
      'aria-label': node === undefined ? text('tree.loading') : `${key}: ${value}`,
    },
  })
  made.style.setProperty('--indents', String(Math.min(branch.level - 1, indentsMax)))
  if (node === undefined) return made
  made.append(
    element('span', {
      class: isContainer ? 'tree-toggle' : 'tree-gap',
      attributes: { 'data-action': isContainer ? 'toggle' : null },
    }),
    ...(branch.level > indentsMax + 1
      ? [element('span', { class: 'tree-level' }, String(branch.level))]
      : []),
    element('bdi', { class: typeof node.key === 'number' ? 'tree-key item' : 'tree-key' }, key),
    element('span', { class: 'tree-colon' }, ':'),
    ...valueElements(node, value),
    ...breaksMark(node.change?.breaks),
  )
  return made
}
