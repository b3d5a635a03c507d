import { text } from '../../../texts/text.js'
import type { TreeNode } from '../../document/document-reader.js'
import { element } from '../element.js'
import { quotedText, rowText } from '../visible-text.js'
import type { OutlineRow } from './outline.js'

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

/** Deeper levels show their number instead of being indented, which would push them out of the page. */
const indentsMax = 12

/** The content of a node in one row. */
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

/** A button whose label comes from CSS, so that it is not part of the row's text. */
function rowButton(label: string, fullLabel: string, action: string, isActive: boolean): HTMLElement {
  const attributes = {
    type: 'button',
    'aria-label': fullLabel,
    'data-action': action,
    'data-label': label,
    tabindex: isActive ? 0 : -1,
  }
  return element('button', { class: 'small-button', attributes })
}

function actions(node: TreeNode, isActive: boolean, hasLink: boolean): HTMLElement {
  const isText = node.type === 'string' || node.type === 'number'
  const show = rowButton(text('tree.show'), text('tree.show-value'), 'show', isActive)
  const link = rowButton(text('tree.link'), text('tree.copy-link'), 'link', isActive)
  return element(
    'span',
    { class: 'tree-actions' },
    ...(isText ? [show] : []),
    element('span', { class: 'tree-copy', attributes: { 'data-label': text('tree.copy') } }),
    rowButton(text('tree.value'), text('tree.copy-value'), 'value', isActive),
    rowButton(text('tree.pointer'), text('tree.copy-pointer'), 'pointer', isActive),
    ...(hasLink ? [link] : []),
  )
}

export function treeRow({ id, row, node, isOpen, isActive, isMarked, hasLink }: TreeRowParts): HTMLElement {
  const { branch, index } = row
  const isContainer = node !== undefined && node.childCount > 0
  const classes = ['tree-row', isActive ? 'active' : '', isMarked ? 'marked' : '']
  const value = node === undefined ? '' : valueText(node)
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
    element('bdi', { class: `tree-value ${node.type}` }, value),
    actions(node, isActive, hasLink),
  )
  return made
}
