import type { Change, Check } from '../sdk/exports.js'
import type { Checked } from './check-file.js'
import { type Compared, changesMax } from './compare-file.js'
import type { Saved } from './save-file.js'

/** A text as inline code: nothing in it is Markdown, HTML, a mention or a link. */
function code(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ')
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map(({ length }) => length))
  const fence = '`'.repeat(longest + 1)
  return longest === 0 ? `${fence}${line}${fence}` : `${fence} ${line} ${fence}`
}

/** In the units of the pages and the command line. */
function readableSize(bytes: number): string {
  if (bytes < 1_024) return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`
  const [size, unit] = bytes < 1_048_576 ? [1_024, 'KB'] : [1_048_576, 'MB']
  return `${Math.ceil((bytes / size) * 10) / 10} ${unit}`
}

/** A link target that its content cannot end. */
function target(url: string): string {
  return new URL(url).href.replaceAll('(', '%28').replaceAll(')', '%29')
}

function linksOf({ snippet, share }: Saved): string {
  const saved = snippet === null ? [] : [`saved as ${code(`@${snippet.name}`)}`]
  if (share === null) return saved.join('')
  const until = share.expiresAt === null ? [] : [`until ${share.expiresAt.slice(0, 10)}`]
  return [`[open](${target(share.url)})`, `[raw](${target(share.rawUrl)})`, ...until, ...saved].join(', ')
}

const charactersMax = 200

/** Text on one line of limited length, without control characters. */
function oneLine(text: string): string {
  const plain = [...text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '·')]
  return plain.length <= charactersMax ? plain.join('') : `${plain.slice(0, charactersMax - 1).join('')}…`
}

const signs = { add: '+', remove: '-', replace: '~', move: '>' } as const

function changeLine({ op, pointer, new_pointer: newPointer, key, column, from, to }: Change): string {
  const place = key === undefined ? pointer : [key, column].filter((part) => part !== undefined).join(' ')
  const values = (op === 'move' ? [pointer, newPointer] : [from, to])
    .filter((value) => value !== undefined)
    .map(String)
  return oneLine(`${signs[op]} ${place}: ${values.join(' → ')}`)
}

/** A code block that its content cannot end. */
function block(lines: readonly string[]): string {
  const text = lines.join('\n')
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}text\n${text}\n${fence}`
}

const units = { json: 'values', csv: 'rows', text: 'lines' } as const

/** The result of a comparison: counts, and the first changes. */
function comparedWith({ reference, found, why }: Compared, diffUrl: string | null): string {
  const link = diffUrl === null ? '' : ` ([show all](${target(diffUrl)}))`
  if (found === null) return `not compared with ${code(reference)}: ${why}${link}.`
  if (found.equal) return `same as ${code(reference)}.`
  const { added, removed, changed, moved, columns_added: more, columns_removed: fewer } = found.summary
  const details = [
    ...(moved === 0 ? [] : [`${moved} moved`]),
    ...more.map((name) => `new column ${code(oneLine(name))}`),
    ...fewer.map((name) => `no column ${code(oneLine(name))}`),
  ].slice(0, changesMax)
  const counts = [`+${added} −${removed} ~${changed} ${units[found.as]}`, ...details].join(', ')
  const changes = (found.changes ?? []).slice(0, changesMax).map(changeLine)
  const rest = found.truncated === true ? ['…'] : []
  const shown = changes.length === 0 ? '' : `\n\n${block([...changes, ...rest])}`
  return `differs from ${code(reference)}: ${counts}${link}${shown}`
}

/** A cell of a table: only a backslash keeps a bar from ending it, in code, too. */
function cell(text: string | null): string {
  return text === null ? '' : code(oneLine(text)).replaceAll('|', '\\|')
}

function outcomeOf({ verdict, state, version, baseline_version: baseline, url }: Check): string {
  const link = `[the check](${target(url)})`
  if (state === 'pending')
    return verdict === 'breaks'
      ? `Fix the file, or approve ${link} and run the job again.`
      : `It waits for approval: ${link}.`
  return version === baseline
    ? `Version ${version} has these bytes.`
    : `It is version ${version} now: ${link}.`
}

/** Whether a file breaks only because there are no rules that allow anything. */
export function hasNoContract({ verdict, contract_version }: Check): boolean {
  return verdict === 'breaks' && contract_version === null
}

/** A verdict with the first breaks. */
function judged({ reference, check }: Checked): string {
  const { verdict, counts, breaks } = check
  const why = hasNoContract(check) ? ` ${code(reference)} has no contract, so every difference breaks.` : ''
  const shown = breaks.slice(0, changesMax)
  const rows = shown.map(
    ({ rule, pointer, baseline, candidate, message }) =>
      `| ${rule} | ${cell(pointer || 'the whole')} | ${cell(baseline)} | ${cell(candidate)} | ${cell(message ?? null)} |`,
  )
  const head = ['| rule | place | baseline | candidate | reason |', '| --- | --- | --- | --- | --- |']
  const left = counts.breaks - shown.length
  const table = shown.length === 0 ? [] : ['', '', ...head, ...rows]
  const more = left > 0 ? ['', `and ${left} more`] : []
  return `checked by the contract of ${code(reference)}: **${verdict}**, breaks: ${counts.breaks}, allowed: ${counts.allowed}.${why} ${outcomeOf(check)}${[...table, ...more].join('\n')}`
}

/** The saved files as a Markdown list. Of their content only the first changes and breaks are shown, as code. */
export function report(saved: readonly Saved[]): string {
  const items = saved.map((one) => {
    const change = one.snippet === null || one.snippet.change === 'unknown' ? '' : `, ${one.snippet.change}`
    const links = linksOf(one)
    return `- ${code(one.title)} (${readableSize(one.size)}${change})${links === '' ? '' : `: ${links}`}`
  })
  const found = saved.flatMap((one) => {
    const said = [
      ...(one.checked === null ? [] : [judged(one.checked)]),
      ...(one.compared === null ? [] : [comparedWith(one.compared, one.diffUrl)]),
    ]
    const isOnly = saved.length === 1
    return said.map(
      (text) =>
        `\n\n${isOnly ? text.charAt(0).toUpperCase() + text.slice(1) : `${code(one.title)}: ${text}`}`,
    )
  })
  return ['**Snipkeep**', '', ...items].join('\n') + found.join('')
}

/** The outputs of the step, from those of one file. */
export function outputsOf({
  snippet,
  share,
  compared,
  diffUrl,
  checked,
}: Saved): Readonly<Record<string, string>> {
  const changed = snippet === null || snippet.change === 'unknown' ? '' : `${snippet.change !== 'unchanged'}`
  return {
    id: snippet?.id ?? '',
    name: snippet?.name ?? '',
    share_url: share?.url ?? '',
    raw_url: share?.rawUrl ?? '',
    changed,
    equal: compared?.found == null ? '' : `${compared.found.equal}`,
    diff_url: diffUrl ?? '',
    verdict: checked?.check.verdict ?? '',
    check_url: checked?.check.url ?? '',
  }
}
