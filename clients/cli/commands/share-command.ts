import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { enforceSecretPolicy } from '../admit-secrets.js'
import { type CommandSpec, shown, textOption } from '../command.js'
import { type ContentSource, openContent } from '../content-source.js'
import type { Context } from '../context.js'
import { CliError, exitCodes } from '../exit-codes.js'
import { openBrowser } from '../open-browser.js'
import { readableEnd } from '../readable-end.js'
import { passwordFrom } from '../secret-from-stdin.js'
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
    { flags: '--max-views <count>', description: 'how often it may be opened; then it is gone' },
    { flags: '--burn', description: 'short for --max-views 1' },
    {
      flags: '--password-stdin',
      description: 'protect it with the password on standard input; name a file or snippet to share',
    },
    { flags: '--qr', description: 'show a QR code of the URL on standard error' },
    { flags: '--open', description: 'open the URL in a browser' },
  ],
  examples: [
    'snipkeep share out.csv',
    'report | snipkeep share -t csv --expires 30d',
    'snipkeep share @nightly-report',
    'snipkeep share notes.md --burn --password-stdin < password.txt',
  ],
  takesSnippets: true,
  async run(context, [file], options) {
    const expires = textOption(options, 'expires')
    const expiresIn = expires === undefined ? undefined : expirySeconds(expires)
    if (expiresIn === null) await assertNeverAllowed(context)
    const gate = await gateOf(context, file, options)
    const shared = await ((await isSnippet(file))
      ? ofSnippet(context, file ?? '')
      : ofFile(context, file, options.data === true))
    try {
      const { source, allowSecrets } = await enforceSecretPolicy(context, shared.source, {
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
        ...gate.query,
      }
      const made = await upload(context, 'POST', '/api/shares', source, query, shared.type, gate.headers)
      const url = shown(made.share_url)
      await context.note(whoCanOpen(made))
      await context.result(made, `${url}\n`)
      if (options.qr === true)
        await write(context.terminal.stderr, (await import('uqr')).renderUnicodeCompact(url).concat('\n'))
      if (options.open === true) await openBrowser(new URL(url), context.terminal.env)
    } finally {
      await shared.source.close()
    }
  },
}

/** The parts of the request that put a gate before the share. */
async function gateOf(
  context: Context,
  file: string | undefined,
  options: Parameters<CommandSpec['run']>[2],
): Promise<{
  readonly query: Readonly<Record<string, string | undefined>>
  readonly headers: Readonly<Record<string, string>>
}> {
  const query = {
    max_views: textOption(options, 'maxViews'),
    burn: options.burn === true ? 'true' : undefined,
  }
  if (options.passwordStdin !== true) return { query, headers: {} }
  if (file === undefined || file === '-')
    throw new CliError('With --password-stdin, name the file or snippet to share.', exitCodes.usage)
  const password = Buffer.from(await passwordFrom(context)).toString('latin1')
  return { query, headers: { 'Snipkeep-Share-Password': password } }
}

function whoCanOpen({ gated, expires_at: end }: Readonly<Record<string, unknown>>): string {
  const { password, views_left: views } = Object(gated) as { password?: boolean; views_left?: number | null }
  const who = `Anyone with this link${password === true ? ' and the password' : ''} can open it`
  const often = views == null ? '' : views === 1 ? ' once' : ` ${views} times`
  return `${who}${often}${end === null ? '' : `${often === '' ? '' : ','} until ${readableEnd(new Date(shown(end)), new Date())}`}.`
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
