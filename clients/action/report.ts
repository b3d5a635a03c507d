import type { Saved } from './save-file.js'

/** A text as inline code: nothing in it is Markdown, HTML, a mention or a link. */
function code(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ')
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map(({ length }) => length))
  const fence = '`'.repeat(longest + 1)
  return longest === 0 ? `${fence}${line}${fence}` : `${fence} ${line} ${fence}`
}

function readableSize(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
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

/** The saved files as a Markdown list, without their content. */
export function report(saved: readonly Saved[]): string {
  const items = saved.map((one) => {
    const change = one.snippet === null || one.snippet.change === 'unknown' ? '' : `, ${one.snippet.change}`
    return `- ${code(one.title)} (${readableSize(one.size)}${change}): ${linksOf(one)}`
  })
  return ['**Snipkeep**', '', ...items].join('\n')
}

/** The outputs of the step, from those of one file. */
export function outputsOf({ snippet, share }: Saved): Readonly<Record<string, string>> {
  const changed = snippet === null || snippet.change === 'unknown' ? '' : `${snippet.change !== 'unchanged'}`
  return {
    id: snippet?.id ?? '',
    name: snippet?.name ?? '',
    share_url: share?.url ?? '',
    raw_url: share?.rawUrl ?? '',
    changed,
  }
}
