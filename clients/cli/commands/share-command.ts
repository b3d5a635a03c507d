import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { admitSecrets } from '../admit-secrets.js'
import { type CommandSpec, shown, textOption } from '../command.js'
import { type ContentSource, openContent } from '../content-source.js'
import type { Context } from '../context.js'
import { CliError, exitCodes } from '../exit-codes.js'
import { openBrowser } from '../open-browser.js'
import { write } from '../terminal.js'
import { expirySeconds, snippetPath, toolOf, upload } from '../upload.js'

interface Shared {
  readonly source: ContentSource
  readonly tool: string
  readonly title: string | undefined
  readonly type: 'text' | 'data'
}

async function isSnippet(text: string | undefined): Promise<boolean> {
  if (text === undefined || text === '-') return false
  if (text.startsWith('@')) return true
  const isFile = await stat(text).then(
    () => true,
    () => false,
  )
  return !isFile && /^[0-9A-Za-z]{22}$/.test(text)
}

/** The stored data of one of the caller's snippets. */
async function ofSnippet(context: Context, id: string): Promise<Shared> {
  const api = await context.api()
  const path = snippetPath(id)
  const summary = await api.json('GET', path, { query: { include_data: 'false' } })
  const response = await api.call('GET', `${path}/raw`)
  const terminal = { ...context.terminal, stdin: Readable.from(response.body ?? []) }
  const source = await openContent('-', terminal)
  return { source, tool: shown(summary.tool), title: shown(summary.title), type: 'data' }
}

/** @throws CliError if the caller's plan does not allow links that never expire. */
async function assertNeverAllowed(context: Context): Promise<void> {
  const { limits } = await (await context.api()).json('GET', '/api/auth/profile')
  const days: unknown = Reflect.get(Object(limits), 'share_ttl_days')
  if (days !== null)
    throw new CliError(
      `With your plan, a link expires after ${shown(days)} days at the latest.`,
      exitCodes.limit,
    )
}

/** Creates a public link. */
export const share: CommandSpec = {
  usage: 'share [file]',
  summary: 'Share a file, standard input or one of your snippets; prints the URL',
  options: [
    { flags: '-t, --tool <tool>', description: 'the tool that made it (default: the extension of the file)' },
    { flags: '--title <title>', description: 'its title (default: the name of the file)' },
    {
      flags: '--key <member>',
      description: 'the member of data that holds the text (default: the last word of the tool)',
    },
    { flags: '--data', description: 'the file is a JSON object, to be stored as data itself' },
    {
      flags: '--expires <duration>',
      description: 'such as 10m, 36h, 30d or never (default: as late as your plan allows)',
    },
    {
      flags: '--allow-secrets',
      description: 'publish it even if it holds passwords, tokens or private keys',
    },
    { flags: '--redact', description: 'replace tokens and private keys by *** before anything is sent' },
    { flags: '--qr', description: 'show a QR code of the URL on standard error' },
    { flags: '--open', description: 'open the URL in a browser' },
  ],
  examples: [
    'snipkeep share out.csv',
    'report | snipkeep share -t csv --expires 30d',
    'snipkeep share @nightly-report',
  ],
  takesSnippets: true,
  async run(context, [file], options) {
    const expires = textOption(options, 'expires')
    const expiresIn = expires === undefined ? undefined : expirySeconds(expires)
    if (expiresIn === null) await assertNeverAllowed(context)
    const shared = await ((await isSnippet(file))
      ? ofSnippet(context, file ?? '')
      : ofFile(context, file, options.data === true))
    try {
      const { source, allowSecrets } = await admitSecrets(context, shared.source, {
        allow: options.allowSecrets === true,
        redact: options.redact === true,
      })
      const query = {
        tool: textOption(options, 'tool') ?? shared.tool,
        title: textOption(options, 'title') ?? shared.title,
        key: shared.type === 'data' ? undefined : textOption(options, 'key'),
        // By default links live as long as the plan allows, which here is forever.
        expires_in: expiresIn,
        allow_secrets: allowSecrets === undefined ? undefined : String(allowSecrets),
      }
      const made = await upload(context, 'POST', '/api/shares', source, query, shared.type)
      const url = shown(made.share_url)
      await context.note(
        made.expires_at === null
          ? 'Anyone with this link can open it.'
          : `Anyone with this link can open it until ${shown(made.expires_at).slice(0, 10)}.`,
      )
      await context.result(made, `${url}\n`)
      if (options.qr === true)
        await write(context.terminal.stderr, (await import('uqr')).renderUnicodeCompact(url).concat('\n'))
      if (options.open === true) await openBrowser(new URL(url), context.terminal.env)
    } finally {
      await shared.source.close()
    }
  },
}

async function ofFile(context: Context, file: string | undefined, isData: boolean): Promise<Shared> {
  const source = await openContent(file, context.terminal)
  return {
    source,
    tool: toolOf(source.name),
    title: source.name ?? undefined,
    type: isData ? 'data' : 'text',
  }
}
