import { readableSize } from '#libs/core/readable-text.js'
import type { RevisionSummary } from '../../sdk/generated/types.js'
import { versionOf } from '../../sdk/references.js'
import { type CommandSpec, limitIn, pageLimit } from '../command.js'
import { CliError, exitCodes } from '../exit-codes.js'
import { table } from '../upload.js'

/** Who made a version. */
function makerOf(principal: RevisionSummary['principal']): string {
  return principal === null ? '' : [principal.kind, principal.label ?? ''].join(' ').trim()
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
    const limit = limitIn(options)
    const sk = await context.client()
    const found = await sk.snippets.revisions(id, { limit: pageLimit(limit) }).first(limit)
    const rows = found.map((one) => [
      one.version,
      one.current ? 'current' : '',
      one.created_at,
      readableSize(one.size_bytes),
      makerOf(one.principal),
      one.title,
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
    const sk = await context.client()
    const { etag: _etag, ...restored } = await sk.snippets.restore(wanted.id, wanted.version)
    await context.note(`Restored version ${wanted.version}: "${restored.title}".`)
    await context.result(restored, `${restored.id}\n`)
  },
}
