import { readableSize } from '#libs/core/readable-text.js'
import type { SnippetPut } from '../../sdk/generated/types.js'
import { lastWord } from '../../sdk/references.js'
import type { Snippets } from '../../sdk/snippets.js'
import { type CommandSpec, listOption, textOption } from '../command.js'
import { openText } from '../content-source.js'
import { usageError } from '../exit-codes.js'
import { savedAlready } from '../saved-content.js'
import { encodingOption, holding, textOptions, toolOf, upload } from '../upload.js'

/** Saves a file as a private snippet. */
const save: CommandSpec = {
  usage: 'save [file]',
  summary: 'Save a file or standard input as a snippet; prints its id',
  options: {
    ...textOptions,
    '--data': 'the file is a JSON object, to be stored as data itself',
    ...encodingOption,
    '--tag <tag>...': 'a tag; repeat it for several',
    '--name <name>': 'create or replace your snippet of this name',
    '--if-changed':
      'with --name: read what is saved first, and send nothing if content, tool, title and tags are the same',
  },
  examples: [
    'snipkeep save team.csv',
    'report | snipkeep save -t csv --name nightly-report',
    'snipkeep save team.csv --name team --if-changed',
  ],
  async run(context, [file], options) {
    const name = textOption(options, 'name')?.replace(/^@/, '')
    if (options.ifChanged === true && name === undefined)
      throw usageError('--if-changed needs --name: it compares with what has this name.')
    const source = await openText(file, context.terminal, textOption(options, 'encoding'))
    try {
      const tool = textOption(options, 'tool') ?? toolOf(source.name)
      const title = textOption(options, 'title') ?? source.name ?? undefined
      const tags = listOption(options, 'tag')
      const key = textOption(options, 'key')
      const isData = options.data === true
      const reference = `@${name}`
      if (options.ifChanged === true) {
        const wanted = { tool, title, tags, key: isData ? null : (key ?? lastWord(tool)), source }
        const same = await savedAlready(await context.client(), reference, wanted)
        if (same !== null) {
          await context.note(`Unchanged: "${same.title}".`)
          return await context.result({ ...same, changed: false }, `${same.id}\n`)
        }
      }
      const snippet = { tool, title, tags, ...holding(source, isData, key) }
      const saved = await upload(context, source, ({ snippets }, call) =>
        name === undefined ? snippets.create(snippet, call) : putSnippet(snippets, reference, snippet, call),
      )
      await context.note(`Saved "${saved.title}" (${readableSize(saved.size_bytes)}).`)
      const result = options.ifChanged === true ? { ...saved, changed: true } : saved
      await context.result(result, `${saved.id}\n`)
    } finally {
      await source.close()
    }
  },
}

/** What a put says of the snippet: it prints as a create does. */
async function putSnippet(
  snippets: Snippets,
  ...put: Parameters<Snippets['put']>
): Promise<Omit<SnippetPut, 'created'>> {
  const { created: _created, ...saved } = await snippets.put(...put)
  return saved
}

export const commands: readonly CommandSpec[] = [save]
