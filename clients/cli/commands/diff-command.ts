import { compare } from '#engine/compare/compare.js'
import type { Change, CompareOptions, Comparison } from '#engine/compare/comparison.js'
import { toJsonPatch } from '#engine/compare/to-json-patch.js'
import { toUnifiedText } from '#engine/compare/to-unified-text.js'
import { commentPattern, skippedLinesMax } from '#engine/csv/line-skipper.js'
import { type CommandSpec, choice, listOption, type OptionValues, textOption } from '../command.js'
import { readDocument } from '../compared-document.js'
import type { Context } from '../context.js'
import { exitByVerdict, usageError } from '../exit-codes.js'
import { asksVerdict } from '../rule-flags.js'
import { jsonText, printable, printableStart, type Style, styled, type Terminal, write } from '../terminal.js'
import { contentOptions, writeContent } from '../write-content.js'

const formats = ['summary', 'changes', 'json-patch', 'text'] as const

/** The maximum length of a value on a line. */

/** Both documents, by their names and their bytes. */
interface Compared {
  readonly names: readonly [string, string]
  readonly first: Uint8Array
  readonly second: Uint8Array
}

/** The character that begins comments in CSV. */
function commentOption(options: OptionValues): string | undefined {
  const text = textOption(options, 'comment')
  if (text !== undefined && !commentPattern.test(text))
    throw usageError('--comment is one character of ASCII that is no letter, digit, blank or quote.')
  return text
}

/** The lines above the tables. */
function skippedLines(options: OptionValues): number | undefined {
  const text = textOption(options, 'skip')
  if (text !== undefined && (!/^\d{1,9}$/.test(text) || Number(text) > skippedLinesMax))
    throw usageError(`--skip is a number of lines, at most ${skippedLinesMax}.`)
  return text === undefined ? undefined : Number(text)
}

function compareOptions(options: OptionValues): CompareOptions {
  return {
    as: asksVerdict(options) ? undefined : choice(options, 'as', ['json', 'csv', 'text']),
    key: textOption(options, 'key'),
    ignore: listOption(options, 'ignore'),
    numbers: choice(options, 'numbers', ['exact', 'value']),
    order: options.order === true,
    quotes: choice(options, 'quotes', ['strict', 'lenient']),
    comment: commentOption(options),
    skip: skippedLines(options),
  }
}

/** A comparison as the API writes it. */
function written({ summary, changes, guessedKeys, ...comparison }: Comparison): Record<string, unknown> {
  const { columnsAdded, columnsRemoved, ...counts } = summary
  return {
    ...comparison,
    ...(guessedKeys.length === 0 ? {} : { guessed_keys: guessedKeys }),
    summary: { ...counts, columns_added: columnsAdded, columns_removed: columnsRemoved },
    changes: changes.map(({ newPointer, ...change }) => ({
      ...change,
      ...(newPointer === undefined ? {} : { new_pointer: newPointer }),
    })),
  }
}

function summaryText({ equal, as, summary, guessedKeys }: Comparison): string {
  if (equal) return 'No difference.\n'
  const { added, removed, changed, moved, columnsAdded, columnsRemoved } = summary
  const columns = (label: string, names: readonly string[]): readonly string[] =>
    names.length === 0 ? [] : [`columns ${label}: ${names.map(printable).join(', ')}`]
  const lines = [
    `${changed} changed, ${added} added, ${removed} removed${moved === 0 ? '' : `, ${moved} moved`}`,
    ...columns('added', columnsAdded),
    ...columns('removed', columnsRemoved),
    ...(guessedKeys.length === 0
      ? []
      : [
          `${as === 'csv' ? 'rows' : 'items'} identified by ${guessedKeys.map(printable).join(', ')}: a guess, --key names another`,
        ]),
  ]
  return `${lines.join('\n')}\n`
}

function changeText({ op, pointer, newPointer, from, to, key }: Change): string {
  const place = `${printable(pointer)}${key === undefined ? '' : ` (${printableStart(key)})`}`
  switch (op) {
    case 'add':
      return `+ ${place}: ${printableStart(to)}`
    case 'remove':
      return `- ${place}: ${printableStart(from)}`
    case 'move':
      return `> ${place} → ${printable(newPointer ?? pointer)}`
    case 'replace':
      return `~ ${place}: ${printableStart(from)} → ${printableStart(to)}`
    default:
      return op satisfies never
  }
}

const colours: Readonly<Record<string, Style>> = {
  '+': 'green',
  '-': 'red',
  '~': 'yellow',
  '>': 'magenta',
  '@': 'cyan',
}

function coloured(text: string, terminal: Terminal): string {
  return text.replace(/^([-+~>@]).*$/gm, (line, sign) =>
    styled(terminal, colours[sign] ?? 'reset', line, terminal.stdout),
  )
}

/** The output for people: a unified diff of texts, else a line for each change. */
function changesText(comparison: Comparison, { names, first, second }: Compared, isRaw: boolean): string {
  if (comparison.as === 'text') {
    const unified = [...toUnifiedText(first, second, { names })].join('')
    // Lines keep their tabs; nothing else of them is obeyed by a terminal.
    return isRaw ? unified : unified.replace(/[^\n\t]+/g, printable)
  }
  const lines = comparison.changes.map((change) => `${changeText(change)}\n`)
  return lines.join('') + (comparison.truncated ? 'There are more changes.\n' : '')
}

async function writePatch(
  { first, second }: Compared,
  rules: CompareOptions,
  context: Context,
  options: OptionValues,
): Promise<boolean> {
  const pieces = context.work('Comparing', (onProgress) =>
    toJsonPatch(first, second, { ...rules, onProgress }),
  )
  const patch = [...pieces].join('')
  await writeContent(context.terminal, `${patch}\n`, options)
  return patch === '[]'
}

async function writeComparison(
  compared: Compared,
  rules: CompareOptions,
  format: Exclude<(typeof formats)[number], 'json-patch'>,
  context: Context,
  options: OptionValues,
): Promise<boolean> {
  const { first, second } = compared
  const { terminal } = context
  const comparison = context.work('Comparing', (onProgress) =>
    compare(first, second, { ...rules, onProgress }),
  )
  if (format === 'changes') await writeContent(terminal, jsonText(written(comparison)), options)
  else if (context.options.json === true) await context.result(written(comparison), '')
  else {
    const isSummary = format === 'summary'
    const text = isSummary ? summaryText(comparison) : changesText(comparison, compared, options.raw === true)
    if (options.output !== undefined) await writeContent(terminal, text, options)
    else await write(terminal.stdout, isSummary ? text : coloured(text, terminal))
  }
  if (format === 'text')
    for (const line of summaryText(comparison).trimEnd().split('\n')) await context.note(line)
  return comparison.equal
}

async function isEqual(
  context: Context,
  names: readonly [string, string],
  options: OptionValues,
): Promise<boolean> {
  const format = choice(options, 'format', formats) ?? 'text'
  const rules = compareOptions(options)
  if (names.every((name) => name === '-')) throw usageError('Only one side can be standard input.')
  if (options.output !== undefined && context.options.json === true)
    throw usageError('Use --output with --format changes instead of --json.')
  const encoding = textOption(options, 'encoding')
  const first = await readDocument(names[0], context, encoding)
  const second = await readDocument(names[1], context, encoding)
  if (asksVerdict(options)) {
    const refused = ['format', 'key', 'order', 'output', 'numbers', 'raw'].find(
      (name) => options[name] !== undefined,
    )
    if (refused !== undefined)
      throw usageError(`--${refused} is for comparisons; rules such as --tolerance print a verdict.`)
    const { judgeDocuments } = await import('../judge-documents.js')
    return judgeDocuments(context, first, second, options)
  }
  const compared = { names, first, second }
  return format === 'json-patch'
    ? writePatch(compared, rules, context, options)
    : writeComparison(compared, rules, format, context, options)
}

/** Compares two documents. */
const diff: CommandSpec = {
  usage: 'diff <a> <b>',
  summary:
    'Compare two documents exactly: files, -, snippets (id, @name, @name@VERSION) or shares (URL or id)',
  options: {
    '-f, --format <format>': `one of ${formats.join(', ')} (default: text)`,
    '--key <names>':
      'the member or column that identifies items or rows, or several that do together, with commas between (a,b), else an error (default: a guess by their names, which the output mentions)',
    '--ignore <pointer>...':
      'do not compare values at this JSON Pointer, * for any step; repeat it for several',
    '--numbers <exact|value>': 'whether 1.0 differs from 1 (default: exact)',
    '--order': 'the order of the members of objects counts',
    '--contract <file>':
      'judge b by the rules in this file and print the verdict: same, allowed or breaks; or by these:',
    '--shape': 'compare types and the presence of members, not values',
    '--tolerance <path=limit>...': 'how far numbers may differ: /*/price=0.01, or 0.5% of them',
    '--change-max <path=limit>...': 'how far a number may change: /total=10%',
    '--min <path=number>...': 'what a number must be at least',
    '--max <path=number>...': 'what a number may be at most',
    '--pattern <path=pattern>...': 'what a text must match; it may change then',
    '--schema <file>': 'the JSON Schema (2020-12) that b must satisfy',
    '--keys <path=names>...': 'the members that identify the items of an array: /rows=region,day',
    '--item-order <significant|insignificant>': 'whether the order of items, rows and lines counts',
    '--quotes <strict|lenient>': 'whether CSV with wrong quotes is kept to the letter',
    '--comment <character>': 'what begins lines of CSV that are no rows, such as #',
    '--skip <lines>': 'how many lines precede the tables',
    '--encoding <name>': 'what the files are in, such as windows-1252 (default: auto)',
    '--as <json|csv|text>': 'what to compare them as (default: guessed); with rules also ndjson',
    ...contentOptions,
  },
  examples: [
    'snipkeep diff old.json new.json',
    'report | snipkeep diff @nightly-report - --key id --ignore /*/updated_at',
    'snipkeep diff prices.json new.json --tolerance /*/price=1% --change-max /total=10%',
    'snipkeep diff @nightly-report@3 @nightly-report --format json-patch',
  ],
  takesSnippets: true,
  async run(context, [one = '', other = ''], options) {
    await exitByVerdict(() => isEqual(context, [one, other], options), context.explained)
  },
}

export const commands: readonly CommandSpec[] = [diff]
