import { readableSize } from '#libs/core/readable-text.js'
import { type CommandSpec, shown, textOption } from '../command.js'
import { CliError, exitCodes } from '../exit-codes.js'
import { snippetPath, table, versionOf } from '../upload.js'
import { readPages } from './snippet-commands.js'

/** Who made a version. */
function makerOf(principal: unknown): string {
  if (typeof principal !== 'object' || principal === null) return ''
  const { kind, label } = principal as { readonly kind?: unknown; readonly label?: unknown }
  return [kind, label]
    .map(shown)
    .filter((word) => word !== '')
    .join(' ')
}

/** Lists the versions of a snippet. */
export const revisions: CommandSpec = {
  usage: 'revisions <id>',
  summary: 'List the versions of a snippet (id or @name), newest first',
  options: [{ flags: '-L, --limit <count>', description: 'how many at most (default: 20)' }],
  examples: [
    'snipkeep revisions @nightly-report',
    'snipkeep revisions @nightly-report --json=version,principal',
  ],
  takesSnippets: true,
  async run(context, [id = ''], options) {
    const path = `${snippetPath(id)}/revisions`
    const found = await readPages(context, path, 'revisions', textOption(options, 'limit'), {})
    const rows = found.map((one) => [
      one.version,
      one.current === true ? 'current' : '',
      one.created_at,
      readableSize(Number(one.size_bytes)),
      makerOf(one.principal),
      shown(one.title),
    ])
    await context.result(found, table(rows))
  },
}

/** Restores a version of a snippet. */
export const restore: CommandSpec = {
  usage: 'restore <version>',
  summary: 'Restore a version of a snippet (id@3 or @name@3) as a new one; prints the id of the snippet',
  examples: ['snipkeep restore @nightly-report@3'],
  takesSnippets: true,
  async run(context, [reference = '']) {
    const wanted = versionOf(reference)
    if (wanted === null) {
      const example = 'Name the version, such as @nightly-report@3; "snipkeep revisions" lists them.'
      throw new CliError(example, exitCodes.usage)
    }
    const api = await context.api()
    const restored = await api.json('POST', `${snippetPath(wanted.id)}/restore`, {
      body: JSON.stringify({ version: wanted.version }),
      headers: { 'Content-Type': 'application/json' },
    })
    await context.note(`Restored version ${wanted.version}: "${shown(restored.title)}".`)
    await context.result(restored, `${shown(restored.id)}\n`)
  },
}
