import { text } from '../../texts/text.js'
import { element } from '../viewer/element.js'
import { maxChanges } from './compare-limits.js'
import type { OpenedComparison } from './read-comparison.js'

type Found = OpenedComparison['found']

/** The differences in one sentence. */
export function countsText({ equal, summary }: Found): string {
  if (equal) return text('compare.equal')
  const { added, removed, changed, moved } = summary
  return [
    text('compare.countChanged', { count: changed }),
    text('compare.countAdded', { count: added }),
    text('compare.countRemoved', { count: removed }),
    ...(moved === 0 ? [] : [text('compare.countMoved', { count: moved })]),
  ].join(', ')
}

/** Notes on a comparison. */
export function noteTexts({ found, views }: Pick<OpenedComparison, 'found' | 'views'>): string[] {
  const { as, summary, truncated, equal, guessedKeys } = found
  const { columnsAdded, columnsRemoved } = summary
  const notes = [text(`compare.as-${as}`)]
  if (guessedKeys.length > 0)
    notes.push(text(`compare.guessed-${as === 'csv' ? 'csv' : 'json'}`, { names: guessedKeys.join(', ') }))
  if (columnsAdded.length > 0) notes.push(text('compare.columnsAdded', { names: columnsAdded.join(', ') }))
  if (columnsRemoved.length > 0)
    notes.push(text('compare.columnsRemoved', { names: columnsRemoved.join(', ') }))
  if (truncated && as !== 'text') notes.push(text('compare.truncated', { count: maxChanges }))
  if (!equal && views.length === 0) notes.push(text('compare.tooManyLines'))
  return notes
}

/** The line above the views of a comparison; read out when it appears. */
export function summaryLine(opened: OpenedComparison): HTMLElement {
  const attributes = { role: 'status' }
  return element(
    'p',
    { class: 'comparison-summary', attributes },
    element('span', 'comparison-counts', countsText(opened.found)),
    ...noteTexts(opened).map((note) => element('span', 'comparison-note', note)),
  )
}
