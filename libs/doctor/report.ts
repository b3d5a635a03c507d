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

/** Whether nothing keeps the installation from being well. */
export function isWell(sections: readonly Section[]): boolean {
  return countOf(sections, 'problem') === 0
}

function linesOf({ check, verdict, message, remedy }: Finding): readonly string[] {
  const line = `  ${verdict.padEnd(8)} ${check.padEnd(18)} ${message}`
  return remedy === null ? [line] : [line, `${' '.repeat(11)}→ ${remedy}`]
}

/** The report for a person: a line for each finding, and under it, unless all is well, the one that mends it. */
export function textReport(sections: readonly Section[]): string {
  const parts = sections.map(({ name, findings }) => [name, ...findings.flatMap(linesOf), ''].join('\n'))
  const counts = verdicts.map((verdict) => `${countOf(sections, verdict)} ${verdict}`).join(', ')
  return ['snipkeep doctor', '', ...parts, counts, ''].join('\n')
}

/** The report for a machine. */
export function jsonReport(sections: readonly Section[]): string {
  const findings = sections.flatMap(({ name, findings }) =>
    findings.map((finding) => ({ process: name, ...finding })),
  )
  return `${JSON.stringify({ well: isWell(sections), findings }, null, 2)}\n`
}
