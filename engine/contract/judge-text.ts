import { lineIds, lineText, readLines } from '../compare/text/text-lines.js'
import type { Contract } from './contract.js'
import { type Findings, shortened } from './findings.js'
import { ruledText } from './judge-csv.js'
import { brokenChange, brokenValue } from './rule-checks.js'
import { rootState } from './rule-states.js'
import { isSameSequence, walkItems } from './walk-items.js'

/** Judges two texts by their lines: each is a value, a number if JSON would spell it so. */
export function judgeText(
  first: Uint8Array,
  second: Uint8Array,
  contract: Contract,
  findings: Findings,
): void {
  const [lines, newLines] = [readLines(first), readLines(second)]
  const [ids, newIds] = lineIds(lines, newLines)
  const root = rootState(contract)
  const ignored = rootState({ rules: [], keys: contract.ignore.map((path) => [path, []]) })
  const isIgnored = (line: number): boolean => ignored.item(line).keys !== null
  const textOf = (of: typeof lines, line: number): string => lineText(of, line).replace(/\r?\n$/, '')
  for (let line = 0; line < newIds.length && root.isOpen; line += 1) {
    const { rules } = root.item(line)
    if (rules.length === 0 || isIgnored(line)) continue
    const rule = brokenValue(rules, ruledText(textOf(newLines, line)))
    if (rule !== null)
      findings.add(() => ({
        ...{ pointer: `/${line}`, rule, baseline: null },
        candidate: shortened(textOf(newLines, line)),
      }))
  }
  if (isSameSequence(ids, newIds)) return
  walkItems(ids, newIds, contract.order, {
    pair(at, newAt) {
      if (isIgnored(newAt)) return
      const [from, to] = [lineText(lines, at), lineText(newLines, newAt)]
      const { rules } = root.item(newAt)
      const [before, after] = [textOf(lines, at), textOf(newLines, newAt)]
      const rule = rules.length === 0 ? 'value' : brokenChange(rules, ruledText(before), ruledText(after))
      if (rule === null && brokenValue(rules, ruledText(after)) === null) findings.allow()
      // Lines may differ in nothing but the line feed.
      const texts = before === after ? [from, to] : [before, after]
      if (rule !== null)
        findings.add(() => ({
          ...{ pointer: `/${newAt}`, rule },
          ...{ baseline: shortened(texts[0] ?? ''), candidate: shortened(texts[1] ?? '') },
        }))
    },
    remove(at) {
      if (isIgnored(at)) return
      findings.add(() => ({
        ...{ pointer: `/${at}`, rule: 'removed' },
        ...{ baseline: shortened(textOf(lines, at)), candidate: null },
      }))
    },
    add(newAt) {
      if (isIgnored(newAt)) return
      findings.add(() => ({
        ...{ pointer: `/${newAt}`, rule: 'added', baseline: null },
        candidate: shortened(textOf(newLines, newAt)),
      }))
    },
    reorder: () => findings.allow(),
  })
}
