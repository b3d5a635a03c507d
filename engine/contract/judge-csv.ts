import { CompareError, type CompareOptions } from '../compare/comparison.js'
import { textAt } from '../compare/table/compare-csv.js'
import { columnsOf, type SharedColumn } from '../compare/table/csv-columns.js'
import { csvRows } from '../compare/table/csv-rows.js'
import { csvTables } from '../compare/table/csv-tables.js'
import { rowKeys } from '../compare/table/row-keys.js'
import { type CsvRecords, cellText, rowText } from '../csv/csv-records.js'
import { jsonNumber } from '../json-bytes/json-number.js'
import { pointerTo } from '../json-pointer.js'
import type { Contract } from './contract.js'
import { type Findings, shortened } from './findings.js'
import { brokenChange, brokenValue, type RuledValue } from './rule-checks.js'
import { type RuleState, rootState } from './rule-states.js'
import { isSameSequence, walkItems, walkKeyedItems } from './walk-items.js'

/** A cell is a text, and a number if JSON would spell it so. */
export function ruledText(text: string): RuledValue {
  return { number: jsonNumber.test(text) ? text : null, text }
}

/** The columns that the header of a table names and rules are about. */
function ruledColumns(
  records: CsvRecords,
  row: RuleState,
): readonly { readonly name: string; readonly column: number }[] {
  if (records.rowCount === 0) return []
  const named = Array.from({ length: records.rowStarts[1] ?? 0 }, (_cell, column) => ({
    name: cellText(records, column),
    column,
  }))
  return named.filter(({ name }) => row.member(name).rules.length > 0)
}

/** Looks at every cell of the candidate that rules are about. */
function checkRules(
  records: CsvRecords,
  root: RuleState,
  isCompared: (name: string) => boolean,
  findings: Findings,
): void {
  const columns = new Map<RuleState, ReturnType<typeof ruledColumns>>()
  for (let row = 0; row < records.rowCount - 1; row += 1) {
    const state = root.item(row)
    if (!state.isOpen) continue
    const ruled = columns.get(state) ?? ruledColumns(records, state).filter(({ name }) => isCompared(name))
    columns.set(state, ruled)
    for (const { name, column } of ruled) {
      const text = textAt(records, row, column)
      const rule = brokenValue(state.member(name).rules, ruledText(text))
      if (rule !== null)
        findings.add(() => ({
          pointer: pointerTo([row, name]),
          rule,
          baseline: null,
          candidate: shortened(text),
        }))
    }
  }
}

/** Judges two tables by their columns; rows are counted without the header. */
export function judgeCsv(
  first: Uint8Array,
  second: Uint8Array,
  contract: Contract,
  options: CompareOptions,
  findings: Findings,
): void {
  const [records, newRecords] = csvTables(first, second, options)
  const { shared, added, removed, isCompared } = columnsOf(records, newRecords, contract.ignore)
  const root = rootState(contract)
  checkRules(newRecords, root, isCompared, findings)
  for (const name of removed)
    findings.add(() => ({
      pointer: pointerTo(['*', name]),
      rule: 'removed',
      baseline: name,
      candidate: null,
    }))
  for (const name of added)
    findings.add(() => ({ pointer: pointerTo(['*', name]), rule: 'added', baseline: null, candidate: name }))
  if (contract.compare === 'values')
    compareRows(records, newRecords, shared, {
      ...{ root, contract, options, findings },
      hasSameColumns: added.length === 0 && removed.length === 0,
    })
}

interface RowJudgement {
  readonly root: RuleState
  readonly contract: Contract
  readonly options: CompareOptions
  readonly findings: Findings
  readonly hasSameColumns: boolean
}

function compareRows(
  records: CsvRecords,
  newRecords: CsvRecords,
  shared: readonly SharedColumn[],
  { root, contract, options, findings, hasSameColumns }: RowJudgement,
): void {
  const table = csvRows(records, newRecords, shared, options)

  function pair(row: number, newRow: number): void {
    if (table.rows[row] === table.newRows[newRow]) return
    const state = root.item(newRow)
    shared.forEach(({ name, column, newColumn }, at) => {
      if (table.cellOf(false, row, at) === table.cellOf(true, newRow, at)) return
      const [from, to] = [textAt(records, row, column), textAt(newRecords, newRow, newColumn)]
      const { rules } = state.member(name)
      const rule = rules.length === 0 ? 'value' : brokenChange(rules, ruledText(from), ruledText(to))
      if (rule === null && brokenValue(rules, ruledText(to)) === null) findings.allow()
      if (rule !== null)
        findings.add(() => ({
          ...{ pointer: pointerTo([newRow, name]), rule },
          ...{ baseline: shortened(from), candidate: shortened(to) },
        }))
    })
  }
  const visitor = {
    pair,
    remove: (row: number): void =>
      findings.add(() => ({
        ...{ pointer: `/${row}`, rule: 'removed' },
        ...{ baseline: shortened(rowText(records, row + 1)), candidate: null },
      })),
    add: (row: number): void =>
      findings.add(() => ({
        ...{ pointer: `/${row}`, rule: 'added', baseline: null },
        candidate: shortened(rowText(newRecords, row + 1)),
      })),
    reorder: (): void => {
      if (contract.order === 'insignificant') findings.allow()
      else findings.add(() => ({ pointer: '', rule: 'order', baseline: null, candidate: null }))
    },
  }
  // What is the same needs no keys to be told apart.
  if (isSameSequence(table.rows, table.newRows) && (hasSameColumns || root.keys === null)) return
  if (root.keys === null) {
    walkItems(table.rows, table.newRows, contract.order, visitor)
    return
  }
  try {
    const keyed = rowKeys(table, shared, JSON.stringify(root.keys))
    if (keyed !== null) walkKeyedItems([...keyed.keys], [...keyed.newKeys], visitor)
  } catch (error) {
    if (!(error instanceof CompareError)) throw error
    findings.add(() => ({
      pointer: '',
      rule: 'keys',
      baseline: null,
      candidate: null,
      message: error.message,
    }))
  }
}
