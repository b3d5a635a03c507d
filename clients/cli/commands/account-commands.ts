import { apiKey, idToken } from '../../sdk/auth.js'
import type { Profile as Account } from '../../sdk/generated/types.js'
import { isCode, UnexpectedResponseError } from '../../sdk/problem-error.js'
import { type CommandSpec, type OptionValues, shown, textOption } from '../command.js'
import { confirm } from '../confirm.js'
import { type Context, serverUrl } from '../context.js'
import { type Profile, readProfiles, type SignedIn, writeProfile } from '../credentials.js'
import { CliError, exitCodes, usageError } from '../exit-codes.js'
import { openBrowser } from '../open-browser.js'
import { secretFrom } from '../secret-from-stdin.js'
import type { SignInSettings } from '../sign-in/issuer.js'
import { ask, printable, write } from '../terminal.js'
import { usageLine } from '../usage-line.js'
import { isSameAddress } from '../web-address.js'

/**
 * The server's sign-in settings; `null` if it has none.
 * @throws CliError unless the server calls itself what the person does: issuers send people back to no other address.
 */
export async function signInSettings(context: Context, server: string): Promise<SignInSettings | null> {
  const sk = await context.client('public', server)
  const { sign_in: found, public_base_url: address } = await sk.config()
  if (typeof address !== 'string')
    throw new UnexpectedResponseError(`The server at ${server} does not say its address.`)
  if (!found?.issuer) return null
  const own = printable(shown(address))
  if (!isSameAddress(own, server))
    throw new CliError(
      `The server at ${server} calls itself ${own || 'nothing'}. Sign in at the address that it calls itself, if you trust that: snipkeep login --server URL`,
    )
  return {
    issuer: shown(found.issuer),
    client_id: shown(found.cli_client_id) || shown(found.client_id),
    scopes: shown(found.scopes),
  }
}

/**
 * Asks a person to decide who may act as them: a code, unlike a redirect, does not bind the tokens to a server.
 * @throws CliError unless they agree, or everything is on one host.
 */
async function confirmServer(context: Context, server: string, signIn: readonly URL[]): Promise<void> {
  const { hostname } = new URL(server)
  const foreign = signIn.find((address) => address.hostname !== hostname)
  if (foreign === undefined) return
  const what = `${printable(foreign.host)} signs you in; ${server} gets the right to act as you.`
  await confirm(
    context,
    {},
    `${what} Go on?`,
    `${what} Confirm that at a terminal, or sign in without --device.`,
  )
}

async function signIn(
  context: Context,
  server: string,
  { device: isDevice, browser: isBrowser, fresh: isFresh }: OptionValues,
): Promise<SignedIn> {
  const settings = await signInSettings(context, server)
  if (settings === null)
    throw new CliError('This server has no sign-in. Use an API key: snipkeep login --with-token')
  const { stderr, env } = context.terminal
  if (isDevice === true) {
    const { signInByCode } = await import('../sign-in/sign-in-by-code.js')
    const show = async (address: URL, code: string): Promise<void> => {
      await confirmServer(context, server, [address, new URL(settings.issuer)])
      await write(
        stderr,
        `To sign in to ${server}, open ${address.href} and type this code: ${printable(code)}\n`,
      )
    }
    return signInByCode(settings, show, context.terminal)
  }
  const { signInByBrowser } = await import('../sign-in/sign-in-by-browser.js')
  const show = async (address: URL): Promise<void> => {
    await write(stderr, `To sign in, open this address in a browser on this machine:\n${address.href}\n`)
    if (isBrowser !== false) await openBrowser(address, env)
  }
  return signInByBrowser(settings, { server, show, isFresh: isFresh === true }, context.terminal)
}

/** A key or token from standard input. */
async function handedOver(context: Context): Promise<Pick<Profile, 'key' | 'token'>> {
  const secret = await secretFrom(context)
  return secret.startsWith('snk_') ? { key: secret } : { token: secret }
}

/** The server to sign in to. */
async function serverToUse({ terminal: { env }, options }: Context): Promise<string> {
  const stored = (await readProfiles(env))[options.profile]
  const typed = options.server ?? (env.SNIPKEEP_SERVER || stored?.server)
  if (typed === undefined) throw usageError('Name the server: snipkeep login --server URL')
  return serverUrl(typed, env).href
}

/** Calls the server with the new credentials before they are stored. */
async function accountOf(context: Context, { server, sign_in, token = '', key }: Profile): Promise<Account> {
  const auth = key === undefined ? idToken(sign_in?.id_token ?? token) : apiKey(key)
  return (await context.client(auth, server)).account.profile()
}

function nameIn({ email, name, id }: Account): string {
  return email ?? name ?? id
}

const login: CommandSpec = {
  usage: 'login',
  summary: 'Sign in through your browser and remember it',
  options: {
    '--device': 'sign in with a code, on another device',
    '--with-token': 'read an API key or ID token from standard input',
    '--no-browser': 'only print the address to open',
    '--fresh': 'ask again even if the browser is signed in',
  },
  examples: ['snipkeep login --server https://snipkeep.example', 'snipkeep login --with-token < key.txt'],
  async run(context, _args, options) {
    const server = await serverToUse(context)
    const given: Omit<Profile, 'server'> =
      options.withToken === true
        ? await handedOver(context)
        : { sign_in: await signIn(context, server, options) }
    const account = await accountOf(context, { server, ...given })
    await writeProfile(context.terminal.env, context.options.profile, { server, ...given })
    await context.note(`Signed in to ${server} as ${nameIn(account)}.`)
  },
}

const logout: CommandSpec = {
  usage: 'logout',
  summary: 'Forget the credentials of this profile',
  examples: ['snipkeep logout'],
  async run(context) {
    const { profile } = context.options
    if ((await readProfiles(context.terminal.env))[profile] === undefined)
      throw new CliError('You are not signed in.', exitCodes.notSignedIn)
    await writeProfile(context.terminal.env, profile, null)
    await context.note('Signed out. An API key stays valid until you delete it: snipkeep key rm ID')
  },
}

const whoami: CommandSpec = {
  usage: 'whoami',
  summary: 'Show who you are, your plan and your usage',
  examples: ['snipkeep whoami --json=email,plan'],
  async run(context) {
    const sk = await context.client()
    const account = await sk.account.profile()
    if (typeof account?.usage !== 'object')
      throw new UnexpectedResponseError('The server sent something other than an account.')
    const isForPeople = context.terminal.stdout.isTTY === true
    const lines = Object.entries(account.usage).map(([name, used]) => {
      const limit: unknown = Reflect.get(account.limits, name)
      return isForPeople
        ? usageLine(name, used, limit)
        : `${name}: ${used} of ${shown(limit) || 'any number'}\n`
    })
    await context.result(
      account,
      `${nameIn(account)} (${account.plan}) on ${new URL(sk.server).origin}\n${lines.join('')}`,
    )
  },
}

/** What the server compares with the account. */
async function confirmation({ terminal }: Context, options: OptionValues): Promise<string> {
  const given = textOption(options, 'confirm')
  if (given !== undefined) return given
  if (terminal.stdin.isTTY !== true)
    throw usageError(
      'This asks for confirmation. Without a terminal, add --confirm with the e-mail address or the id of the account.',
    )
  const question =
    'This closes your account and everything in it, and erases all of it after some days.\nTo confirm, type your e-mail address or the id of the account: '
  return ask(terminal, question)
}

const accountDelete: CommandSpec = {
  usage: 'account delete',
  summary: 'Close your account; it is erased after some days',
  options: { '--confirm <text>': 'your e-mail address or the id of the account' },
  examples: ['snipkeep account delete', 'snipkeep account delete --confirm ann@example.com'],
  async run(context, _args, options) {
    const confirm = await confirmation(context, options)
    const sk = await context.client()
    try {
      const closed = await sk.account.close(confirm)
      await context.result(
        closed,
        `Closed. It will be erased after ${closed.erased_after}; until then: snipkeep account restore\n`,
      )
    } catch (error) {
      if (!isCode(error, 'login_too_old')) throw error
      throw new CliError(
        'This needs a sign-in of the last ten minutes: snipkeep login --fresh',
        exitCodes.notSignedIn,
      )
    }
  },
}

const accountRestore: CommandSpec = {
  usage: 'account restore',
  summary: 'Restore your closed account',
  examples: ['snipkeep account restore'],
  async run(context) {
    const restored = await (await context.client()).account.restore()
    await context.result(restored, 'Your account is open again.\n')
  },
}

export const commands: readonly CommandSpec[] = [login, logout, whoami, accountDelete, accountRestore]
