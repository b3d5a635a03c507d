import { text } from '../../../texts/text.js'
import type { TreeNode } from '../../document/document-reader.js'
import { button, element } from '../element.js'
import { quotedText, rowText } from '../visible-text.js'
import type { OutlineRow } from './outline.js'

/** How a row of the tree is drawn. */
export interface TreeRowParts {
  readonly id: string
  readonly row: OutlineRow
  /** The node of the row; missing until it is loaded. */
  readonly node: TreeNode | undefined
  readonly isOpen: boolean
  readonly isActive: boolean
  readonly isMarked: boolean
  readonly hasLink: boolean
}

/** Deeper levels are told by a number, or else they would push everything out of the page. */
const indentsMax = 12

/** What a node holds, in one row. */
export function valueText({ type, preview, cutLength, childCount }: TreeNode): string {
  switch (type) {
    case 'object':
      return childCount === 0 ? '{}' : text('tree.members', { count: childCount })
    case 'array':
      return childCount === 0 ? '[]' : text('tree.items', { count: childCount })
    case 'string':
      return cutLength > 0 ? `${quotedText(preview).slice(0, -1)}…` : quotedText(preview)
    case 'number':
    case 'boolean':
    case 'null':
      return cutLength > 0 ? `${preview}…` : preview
    default:
      return type satisfies never
  }
}

function actions(node: TreeNode, isActive: boolean, hasLink: boolean): HTMLElement {
  const isText = node.type === 'string' || node.type === 'number'
  const shown = isText ? [button(text('tree.show'), text('tree.show-value'), 'show')] : []
  const copied = [
    button(text('tree.value'), text('tree.copy-value'), 'value'),
    button(text('tree.pointer'), text('tree.copy-pointer'), 'pointer'),
    ...(hasLink ? [button(text('tree.link'), text('tree.copy-link'), 'link')] : []),
  ]
  for (const one of [...shown, ...copied]) one.tabIndex = isActive ? 0 : -1
  const copy = element(
    'span',
    { class: 'tree-copy', attributes: { 'aria-hidden': 'true' } },
    text('tree.copy'),
  )
  return element('span', { class: 'tree-actions' }, ...shown, copy, ...copied)
}

/** One row of the tree. */
export function treeRow({ id, row, node, isOpen, isActive, isMarked, hasLink }: TreeRowParts): HTMLElement {
  const { branch, index } = row
  const isContainer = node !== undefined && node.childCount > 0
  const classes = ['tree-row', isActive ? 'active' : '', isMarked ? 'marked' : '']
  const value = node === undefined ? '' : valueText(node)
  const key = node === undefined ? '' : rowText(String(node.key))
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
    element('bdi', { class: `tree-value ${node.type}` }, value),
    actions(node, isActive, hasLink),
  )
  return made
}
