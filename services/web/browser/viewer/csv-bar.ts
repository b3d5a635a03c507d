import { oneColumn } from '#engine/csv/find-separator.js'
import { type TextName, text } from '../../texts/text.js'
import type { CsvChoice, CsvDecision } from '../document/table/csv-table.js'
import { element } from './element.js'

const separators: readonly (readonly [byte: number, name: TextName])[] = [
  [0x2c, 'csv.comma'],
  [0x3b, 'csv.semicolon'],
  [0x09, 'csv.tab'],
  [0x7c, 'csv.bar'],
]

function separatorName(byte: number): string {
  if (byte === oneColumn) return text('csv.none')
  const known = separators.find(([own]) => own === byte)
  return known === undefined ? String.fromCharCode(byte) : text(known[1])
}

/** What the choice of nothing has led to. */
function foundText({ choice, separator, isDeclared }: CsvDecision): string {
  if (choice.separator !== null) return text('csv.find')
  if (separator === null) return text('csv.unclear')
  return text(isDeclared ? 'csv.named' : 'csv.found', { separator: separatorName(separator) })
}

function selectField(
  name: 'separator' | 'quotes',
  label: TextName,
  options: readonly (readonly [value: string, label: string])[],
  chosen: string,
  onChoose: (value: string) => void,
): HTMLElement {
  const select = element(
    'select',
    { class: 'viewer-field', attributes: { name } },
    ...options.map(([value, shown]) => {
      const option = element('option', { attributes: { value } }, shown)
      option.selected = value === chosen
      return option
    }),
  )
  select.addEventListener('change', () => onChoose(select.value))
  return element('label', 'viewer-csv-field', text(label), ' ', select)
}

/** How a text was read as CSV, or why not, in words: the reason is in English, whatever the page's language is. */
function csvSummary({ refusal }: CsvDecision): readonly (Node | string)[] {
  if (refusal === null) return [text('csv.header')]
  const { message, position } = refusal
  const reason = element('span', { attributes: { lang: 'en' } }, message)
  return [reason, ' ', text(position ? 'csv.refusedAt' : 'csv.refused', { ...position })]
}

/** Says how a text was read as CSV, or why it was not, and lets the reader change it. */
export function csvBar(decision: CsvDecision, onChoose: (choice: CsvChoice) => void): HTMLElement {
  const { choice, refusal } = decision
  const separator = selectField(
    'separator',
    'csv.separator',
    [
      ['', foundText(decision)],
      ...separators.map(([byte, name]): [string, string] => [String(byte), text(name)]),
    ],
    String(choice.separator ?? ''),
    (value) => onChoose({ ...choice, separator: value === '' ? null : Number(value) }),
  )
  const quotes = selectField(
    'quotes',
    'csv.quotes',
    [
      ['strict', text('csv.strict')],
      ['lenient', text('csv.lenient')],
    ],
    choice.isLenient ? 'lenient' : 'strict',
    (value) => onChoose({ ...choice, isLenient: value === 'lenient' }),
  )
  const summary = element('p', 'viewer-csv-summary', ...csvSummary(decision))
  summary.setAttribute('role', 'status')
  if (refusal !== null) summary.classList.add('viewer-csv-refused')
  return element('div', 'viewer-csv', summary, separator, quotes)
}
