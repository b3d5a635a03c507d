import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { CreatedShare } from '../../sdk/generated/types.js'
import type { NewShare } from '../../sdk/shares.js'
import { type CommandSpec, type OptionValues, textOption } from '../command.js'
import { type ContentSource, openContent, openText } from '../content-source.js'
import type { Context } from '../context.js'
import { enforceSecretPolicy } from '../enforce-secret-policy.js'
import { CliError, exitCodes, usageError } from '../exit-codes.js'
import { openBrowser } from '../open-browser.js'
import { passwordFrom } from '../secret-from-stdin.js'
import { write } from '../terminal.js'
import { encodingOption, expirySeconds, holding, textOptions, toolOf, upload } from '../upload.js'

const dayMs = 86_400_000

function two(part: number): string {
  return String(part).padStart(2, '0')
}

/** The time zone of a moment, such as `UTC+1` or `UTC-3:30`. */
function zoneOf(moment: Date): string {
  const minutes = -moment.getTimezoneOffset()
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  if (minutes === 0) return 'UTC'
  return `UTC${minutes < 0 ? '-' : '+'}${hours}${rest === 0 ? '' : `:${two(rest)}`}`
}

/**
 * When something ends: the local day, within two days also the time and the time zone, and, below 120 days, how many
 * are left.
 */
export function readableEnd(end: Date, now: Date): string {
  const day = `${end.getFullYear()}-${two(end.getMonth() + 1)}-${two(end.getDate())}`
  const days = (end.getTime() - now.getTime()) / dayMs
  if (days < 2) return `${day} ${two(end.getHours())}:${two(end.getMinutes())} (${zoneOf(end)})`
  return days < 120 ? `${day} (in ${Math.round(days)} days)` : day
}

type ShareGateFields = Pick<NewShare, 'maxViews' | 'burn' | 'password'>

interface Shared {
  readonly source: ContentSource
  readonly tool: string
  readonly title: string | undefined
  readonly isData: boolean
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
  const { snippets } = await context.client()
  const { tool, title } = await snippets.get(id, { includeData: false })
  const { body } = await snippets.raw(id)
  const source = await openContent('-', { ...context.terminal, stdin: Readable.from(body) })
  return { source, tool, title, isData: true }
}

/** @throws CliError if the caller's plan does not allow links that never expire. */
async function assertNeverAllowed(context: Context): Promise<void> {
  const { limits } = await (await context.client()).account.profile()
  const { share_ttl_days: days } = limits
  if (days !== null)
    throw new CliError(`With your plan, a link expires after ${days} days at the latest.`, exitCodes.limit)
}

/** Creates a public link. */
const share: CommandSpec = {
  usage: 'share [file]',
  summary: 'Share a file, standard input or one of your snippets; prints the URL',
  options: {
    ...textOptions,
    ...encodingOption,
    '--data': 'the file is a JSON object, to be stored as data itself',
    '--expires <duration>': 'such as 10m, 36h, 30d or never (default: as late as your plan allows)',
    '--allow-secrets': 'publish it even if it holds passwords, tokens or private keys',
    '--redact': 'replace tokens and private keys by *** before anything is sent',
    '--max-views <count>': 'how often it may be opened; then it is gone',
    '--burn': 'short for --max-views 1',
    '--password-stdin': 'protect it with the password on standard input; name a file or snippet to share',
    '--qr': 'show a QR code of the URL on standard error',
    '--open': 'open the URL in a browser',
  },
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
      : ofFile(context, file, options))
    try {
      const { source, allowSecrets } = await enforceSecretPolicy(context, shared.source, {
        allow: options.allowSecrets === true,
        redact: options.redact === true,
      })
      const wanted = {
        tool: textOption(options, 'tool') ?? shared.tool,
        title: textOption(options, 'title') ?? shared.title,
        // By default links live as long as the plan allows, which here is forever.
        expiresIn: expiresIn ?? undefined,
        allowSecrets,
        ...gate,
        ...holding(source, shared.isData, textOption(options, 'key')),
      }
      const made = await upload(context, source, ({ shares }, call) => shares.create(wanted, call))
      const { share_url: url } = made
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

/** The gate before the share. */
async function gateOf(
  context: Context,
  file: string | undefined,
  options: Parameters<CommandSpec['run']>[2],
): Promise<ShareGateFields> {
  const views = textOption(options, 'maxViews')
  const limits = { maxViews: views === undefined ? undefined : Number(views), burn: options.burn === true }
  if (options.passwordStdin !== true) return limits
  if (file === undefined || file === '-')
    throw usageError('With --password-stdin, name the file or snippet to share.')
  return { ...limits, password: await passwordFrom(context) }
}

function whoCanOpen({ gated, expires_at: end }: CreatedShare): string {
  const { password = false, views_left: views = null } = gated ?? {}
  const who = `Anyone with this link${password ? ' and the password' : ''} can open it`
  const often = views === null ? '' : views === 1 ? ' once' : ` ${views} times`
  return `${who}${often}${end === null ? '' : `${often === '' ? '' : ','} until ${readableEnd(new Date(end), new Date())}`}.`
}

async function ofFile(context: Context, file: string | undefined, options: OptionValues): Promise<Shared> {
  const source = await openText(file, context.terminal, textOption(options, 'encoding'))
  return {
    source,
    tool: toolOf(source.name),
    title: source.name ?? undefined,
    isData: options.data === true,
  }
}

export const commands: readonly CommandSpec[] = [share]
