import type { Finding, Verdict } from './finding.js'

/** The findings of one part of the installation. */
export interface Section {
  readonly name: string
  readonly findings: readonly Finding[]
  /** The names of the variables that are set, for a bug report. */
  readonly set?: readonly string[]
}

const verdicts = ['ok', 'warning', 'problem', 'skipped'] as const satisfies readonly Verdict[]

function countOf(sections: readonly Section[], verdict: Verdict): number {
  return sections.flatMap(({ findings }) => findings).filter((finding) => finding.verdict === verdict).length
}

/** Whether no finding is a problem. */
export function isWell(sections: readonly Section[]): boolean {
  return countOf(sections, 'problem') === 0
}

function linesOf({ check, verdict, message, remedy }: Finding): readonly string[] {
  const line = `  ${verdict.padEnd(8)} ${check.padEnd(18)} ${message}`
  return remedy === null ? [line] : [line, `${' '.repeat(11)}→ ${remedy}`]
}

/** The report for people: a line for each finding, followed by its remedy if there is one. */
export function textReport(sections: readonly Section[]): string {
  const parts = sections.map(({ name, findings }) => [name, ...findings.flatMap(linesOf), ''].join('\n'))
  const counts = verdicts.map((verdict) => `${countOf(sections, verdict)} ${verdict}`).join(', ')
  return ['snipkeep doctor', '', ...parts, counts, ''].join('\n')
}

/** The report for programs. */
export function jsonReport(sections: readonly Section[]): string {
  const findings = sections.flatMap(({ name, findings }) =>
    findings.map((finding) => ({ process: name, ...finding })),
  )
  return `${JSON.stringify({ well: isWell(sections), findings }, null, 2)}\n`
}
