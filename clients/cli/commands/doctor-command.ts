import type { CommandSpec } from '../command.js'
import type { Context } from '../context.js'
import { readProfiles } from '../credentials.js'
import { CliError, describeError } from '../exit-codes.js'
import { printable, widthOf } from '../terminal.js'
import { textWidth } from '../text-width.js'
import { signInSettings } from './account-commands.js'

interface Finding {
  readonly check: string
  readonly ok: boolean
  readonly detail: string
}

async function finding({ explained }: Context, check: string, look: () => Promise<string>): Promise<Finding> {
  try {
    return { check, ok: true, detail: await look() }
  } catch (error) {
    return { check, ok: false, detail: describeError(await explained(error)) }
  }
}

const skewMsMax = 60_000

async function clock(context: Context): Promise<string> {
  const { server } = await context.profile()
  const sk = await context.client('public', server)
  const response = await sk.request({ method: 'GET', path: '/healthz' })
  await response.body?.cancel()
  const skewMs = Math.abs(Date.now() - Date.parse(response.headers.get('Date') ?? ''))
  if (skewMs > skewMsMax)
    throw new Error(`Your clock and the server's differ by ${Math.round(skewMs / 1_000)} s.`)
  return `${server} responds`
}

/** The text in lines that are as wide at most, unless a word, such as an address, is wider by itself. */
function wrapped(text: string, widthMax: number): readonly string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`
    if (lines.length > 0 && textWidth(longer) <= widthMax) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
}

/** Findings in three columns; what does not fit beside the first two goes on below itself. */
export function findingLines(findings: readonly Finding[], widthMax: number): string {
  const nameWidth = Math.max(...findings.map(({ check }) => check.length))
  const indent = ' '.repeat('FAIL'.length + nameWidth + 4)
  return findings
    .map(({ check, ok, detail }) => {
      const details = detail
        .trim()
        .split('\n')
        .flatMap((line) => wrapped(printable(line.trim()), widthMax - indent.length))
      return `${ok ? 'ok  ' : 'FAIL'}  ${check.padEnd(nameWidth)}  ${details.join(`\n${indent}`)}\n`
    })
    .join('')
}

const doctor: CommandSpec = {
  usage: 'doctor',
  summary: 'Check the connection, the sign-in and the stored credentials',
  examples: ['snipkeep doctor'],
  async run(context) {
    const { terminal } = context
    const findings = [
      { check: 'version', ok: true, detail: `snipkeep ${terminal.version} on Node ${process.version}` },
      await finding(
        context,
        'credentials',
        async () => `${Object.keys(await readProfiles(terminal.env)).length} profiles stored`,
      ),
      await finding(context, 'server', () => clock(context)),
      await finding(context, 'sign-in', async () => {
        const { server } = await context.profile()
        const settings = await signInSettings(context, server)
        if (settings === null) return 'by API key only'
        const { redirectCheck } = await import('../sign-in/sign-in-by-browser.js')
        return `at ${settings.issuer}, which ${await redirectCheck(settings, server, terminal)}`
      }),
      await finding(context, 'account', async () => {
        const account = await (await context.client()).account.profile()
        return `${account.email ?? account.id} (${account.plan})`
      }),
    ]
    const widthMax = terminal.stdout.isTTY === true ? widthOf(terminal) : Number.POSITIVE_INFINITY
    await context.result(findings, findingLines(findings, widthMax))
    if (findings.some(({ ok }) => !ok)) throw new CliError('Something needs attention.')
  },
}

export const commands: readonly CommandSpec[] = [doctor]
