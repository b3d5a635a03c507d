import { text } from '../../texts/text.js'
import { DocumentError, type NodeId, type TreeNode } from '../document/document-reader.js'
import { attributeAround, element } from './element.js'
import { pixelsOf, virtualList } from './list/virtual-list.js'
import { type OutlineRow, rowOf } from './tree/outline.js'
import { treeMove } from './tree/tree-keys.js'
import { type TreeModel, treeModel } from './tree/tree-model.js'
import { treeRow } from './tree/tree-row.js'
import { valuePlace } from './value-place.js'
import type { OpenView } from './view.js'
import './tree-view.css'

const rowHeightRem = 1.75
const spareRows = 8

/** A tree opens with two levels if they have no more rows than these. */
const firstLevels = 2
const firstRowsMax = 200
/** Each container that is expanded is asked for, so that more would take long. */
const expandedRowsMax = 5_000

/** Keeps the row ids of several trees in one page apart. */
let treesMade = 0

/**
 * Where a key leads from a row. Right opens a closed row first, left closes an open one first, and then the
 * row stays.
 */
async function rowAfter(
  model: TreeModel,
  from: OutlineRow,
  move: NonNullable<ReturnType<typeof treeMove>>,
): Promise<OutlineRow | null> {
  const last = model.root.rowCount - 1
  switch (move.kind) {
    case 'by':
      return model.rowAt(Math.min(Math.max(rowOf(from) + move.rows, 0), last))
    case 'first':
      return model.rowAt(0)
    case 'last':
      return model.rowAt(last)
    case 'inwards': {
      if (model.isOpen(from)) return model.rowAt(rowOf(from) + 1)
      await model.setOpen(from, true)
      return from
    }
    case 'outwards': {
      const { parent, node } = from.branch
      if (!model.isOpen(from)) return parent === null ? from : { branch: parent, index: node.index }
      await model.setOpen(from, false)
      return from
    }
    case 'choose':
      return null
    default:
      return move satisfies never
  }
}

/** Whether a row shows all of a value. */
function isShort({ type, cutLength }: TreeNode): boolean {
  return type !== 'object' && type !== 'array' && type !== 'string' && cutLength === 0
}

/** Opens the tree of a JSON document. Only visible rows are in the page, whatever its size. */
export const openTreeView: OpenView = async (host, parts) => {
  treesMade += 1
  const idPrefix = `tree-${treesMade}-`
  const body = element('div', { class: 'list-body', attributes: { role: 'presentation' } })
  const scroller = element(
    'div',
    { class: 'tree', attributes: { role: 'tree', tabindex: 0, 'aria-label': text('tree.label') } },
    body,
  )
  const note = element('p', { class: 'list-note', attributes: { role: 'status' } })
  const panel = valuePlace(parts.copy, () => scroller.focus())
  let active: OutlineRow | null = null
  /** The row that the focus made active, before anyone has gone anywhere. */
  let entered: OutlineRow | null = null
  let marked: NodeId | null = null

  const fail = (error: unknown): void => {
    if (error instanceof DocumentError && error.code !== 'cancelled') note.textContent = error.message
  }
  const model = await treeModel(parts.reader, () => list.redraw(), fail)
  const isActive = ({ branch, index }: OutlineRow): boolean =>
    active !== null && active.branch === branch && active.index === index
  const list = virtualList({
    scroller,
    body,
    headHeight: 0,
    rowHeight: () => pixelsOf(rowHeightRem),
    spareRows,
    draw: (number) => {
      const row = model.rowAt(number)
      const node = model.nodeOf(row)
      return treeRow({
        id: `${idPrefix}${number}`,
        row,
        node,
        isOpen: model.isOpen(row),
        isActive: isActive(row),
        isMarked: node !== undefined && node.id === marked,
      })
    },
  })

  const goTo = async (row: OutlineRow): Promise<TreeNode | undefined> => {
    active = row
    list.setRowCount(model.root.rowCount)
    list.show(rowOf(row))
    scroller.setAttribute('aria-activedescendant', `${idPrefix}${rowOf(row)}`)
    const node = await model.waitFor(row)
    if (node !== undefined && isActive(row))
      parts.onLink(
        { kind: 'pointer', pointer: node.pointer },
        {
          read: () => parts.reader.textOf(node.id),
          ...(isShort(node) ? {} : { show: () => void showAll(node).catch(fail) }),
        },
      )
    return node
  }
  const showAll = async (node: TreeNode): Promise<void> =>
    panel.show(node.pointer, await parts.reader.textOf(node.id))

  const toggle = async (row: OutlineRow): Promise<void> => {
    await model.setOpen(row, !model.isOpen(row))
    await goTo(row)
  }

  const choose = async (row: OutlineRow): Promise<void> => {
    const node = await goTo(row)
    if (node === undefined) return
    if (node.childCount > 0) await toggle(row)
    else await showAll(node)
  }

  const showPath = async (path: readonly TreeNode[]): Promise<void> => {
    marked = path.at(-1)?.id ?? null
    const row = model.openPath(path)
    if (row === null) list.redraw()
    else await goTo(row)
  }

  scroller.addEventListener('keydown', (event) => {
    if (event.target !== scroller || event.ctrlKey || event.metaKey || event.altKey) return
    const move = treeMove(event.key, list.pageRows())
    if (move === null || model.root.rowCount === 0) return
    event.preventDefault()
    const from = active ?? model.rowAt(0)
    rowAfter(model, from, move)
      .then(async (row) => {
        await (row === null ? choose(from) : goTo(row))
      })
      .catch(fail)
  })
  scroller.addEventListener('focus', () => {
    if (active !== null || model.root.rowCount === 0) return
    active = model.rowAt(0)
    entered = active
    scroller.setAttribute('aria-activedescendant', `${idPrefix}0`)
    list.redraw()
  })
  body.addEventListener('click', (event) => {
    const id = attributeAround(event, 'id')
    if (id === null || !id.startsWith(idPrefix)) return
    const row = model.rowAt(Number(id.slice(idPrefix.length)))
    const action = attributeAround(event, 'data-action')
    const going = action === 'toggle' ? toggle(row) : goTo(row)
    going.catch(fail)
  })
  body.addEventListener('dblclick', (event) => {
    const id = attributeAround(event, 'id')
    if (id === null || attributeAround(event, 'data-action') !== null) return
    choose(model.rowAt(Number(id.slice(idPrefix.length)))).catch(fail)
  })

  /** Shows the rows there are now; the active one may be among those that are gone. */
  const restart = (): void => {
    active = null
    scroller.removeAttribute('aria-activedescendant')
    list.setRowCount(model.root.rowCount)
  }
  const expandAll = async (): Promise<void> => {
    const rowsMax = model.root.node.childCount + expandedRowsMax
    const isWhole = await model.expandLevels(Number.POSITIVE_INFINITY, rowsMax)
    restart()
    note.textContent = isWhole ? '' : text('tree.partly', { count: model.root.rowCount })
  }
  const closeAll = async (): Promise<void> => {
    model.collapseAll()
    restart()
    note.textContent = ''
  }

  host.append(scroller, note, panel.element)
  // A comparison is about its changes, which are gone to one by one.
  if (parts.part.kind !== 'diff') await model.expandLevels(firstLevels, firstRowsMax)
  list.setRowCount(model.root.rowCount)
  if (model.root.rowCount === 0) note.textContent = text('tree.empty')

  return {
    async reveal(place) {
      const path = place.kind === 'pointer' ? await parts.reader.locate(place.pointer) : null
      if (path !== null) await showPath(path)
      return path !== null
    },
    async find(wanted) {
      const hasMoved = active !== null && !(wanted.isChange === true && active === entered)
      const from = hasMoved && active !== null ? await model.waitFor(active) : undefined
      const path = await parts.reader.findNode({ ...wanted, caseSensitive: false }, from?.id ?? null)
      if (path !== null) await showPath(path)
      return path === null
        ? null
        : { index: path.at(-1)?.match?.index ?? null, total: path.at(-1)?.match?.total ?? null }
    },
    unmark() {
      marked = null
      list.redraw()
    },
    expandAll: (isExpanded) => (isExpanded ? expandAll() : closeAll()),
    close() {
      list.close()
      host.replaceChildren()
    },
  }
}
