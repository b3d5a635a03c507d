import type { Check, CheckSummary } from '#sdk/exports.js'
import { knownText, text } from '../../../../texts/text.js'

/** The verdict in words; an unknown one of a newer server is shown as is. */
export function verdictWords({ verdict }: Pick<CheckSummary, 'verdict'>): string {
  return knownText(`check.verdict-${verdict}`) ?? verdict
}

/** The state in a word. */
export function stateWord({ state }: Pick<CheckSummary, 'state'>): string {
  return knownText(`check.state-${state}`) ?? state
}

/** How much breaks and how much is allowed, without what there is none of. */
export function countWords({ counts }: Pick<CheckSummary, 'counts'>): readonly string[] {
  return [
    ...(counts.breaks > 0 ? [text('check.breakCount', { count: counts.breaks })] : []),
    ...(counts.allowed > 0 ? [text('check.allowedCount', { count: counts.allowed })] : []),
  ]
}

/** What a person can decide about a pending check. */
export type Decision = 'approve' | 'reject'

/** What a decision does; until the first output is approved there is no snippet. */
export function decisionWords(
  { verdict, name, title }: Pick<CheckSummary, 'verdict' | 'name' | 'title'>,
  decision: Decision,
): string {
  const first = verdict === 'new' ? 'New' : ''
  return text(`check.${decision}${first}About`, { title: name === null ? title : `@${name}` })
}

/** What is marked in a comparison; the lines of JSON and CSV never are. */
export function markWords({ as }: Pick<Check, 'as'>): string {
  const marked = text('check.marked', { word: text('compare.breaks') })
  const hasOtherLines = as === 'json' || as === 'csv'
  return hasOtherLines ? `${marked} ${text('check.unmarkedLines', { view: text('view.diff') })}` : marked
}

/** The address of the job and its short form; `null` for what a click must not open. */
export function jobLink(source: string | null): { readonly href: string; readonly name: string } | null {
  if (source === null || !/^https?:\/\//i.test(source) || !URL.canParse(source)) return null
  const { href, host, pathname } = new URL(source)
  return { href, name: `${host}${pathname}` }
}

/** Whether the bytes of a candidate may still be there. */
export function isKept({ state }: Pick<Check, 'state'>): boolean {
  return state !== 'rejected' && state !== 'expired'
}
