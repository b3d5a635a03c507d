import type { CommandSpec } from '../command.js'
import type { Context } from '../context.js'
import { readProfiles } from '../credentials.js'
import { CliError, describeError } from '../exit-codes.js'
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
    const lines = findings.map(
      ({ check, ok, detail }) => `${ok ? 'ok  ' : 'FAIL'}  ${check.padEnd(12)} ${detail}\n`,
    )
    await context.result(findings, lines.join(''))
    if (findings.some(({ ok }) => !ok)) throw new CliError('Something needs attention.')
  },
}

export const commands: readonly CommandSpec[] = [doctor]
