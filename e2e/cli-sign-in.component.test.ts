import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildCommandLine, type CommandLine, ended } from './harness/command-line.js'
import { type DevelopmentIssuer, startDevelopmentIssuer } from './harness/development-issuer.js'
import { type SystemInProcess, startSystem } from './harness/system-in-process.js'

let cli: CommandLine
let system: SystemInProcess
let issuer: DevelopmentIssuer

beforeAll(async () => {
  issuer = await startDevelopmentIssuer()
  system = await startSystem({ env: { OIDC_ISSUERS: `${issuer.url}=snipkeep` } })
  cli = await buildCommandLine()
})
afterAll(async () => {
  await cli?.stop()
  await system?.stop()
  await issuer?.stop()
})

/** A minimal browser: it keeps the issuer's cookies and follows redirects. */
function browser() {
  const cookies = new Map<string, string>()
  return async function visit(address: string, form?: Record<string, string>): Promise<string> {
    const url = new URL(address, issuer.url)
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, {
      redirect: 'manual',
      headers: url.origin === issuer.url ? { cookie } : {},
      ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
    })
    for (const set of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (set.split(';')[0] ?? '').split(/=(.*)/s)
      cookies.set(name, value)
    }
    const next = response.headers.get('Location')
    if (next === null) return response.text()
    return next.includes('/sign-in/') && !url.pathname.startsWith('/sign-in/')
      ? visit(next, { login: 'grace' })
      : visit(new URL(next, url).href)
  }
}

/** Starts a sign-in, and waits for the URL that it prints. */
async function login(env: Record<string, string>, flags: readonly string[], printed: RegExp) {
  const child = cli.start(['login', '--server', system.baseUrl(), ...flags], env)
  let text = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    text += chunk.toString()
  })
  const end = ended(child)
  await expect.poll(() => text).toMatch(printed)
  return { groups: printed.exec(text)?.groups ?? {}, end }
}

it('login opens the issuer, receives the redirect on this machine, and stores the tokens', async () => {
  const env = { XDG_CONFIG_HOME: join(cli.folder, 'loopback') }
  const { groups, end } = await login(env, ['--no-browser'], /^(?<address>http\S+\/auth\?\S+)$/m)
  const address = new URL(groups.address ?? '')
  expect(address.searchParams.get('redirect_uri')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/)
  expect(address.searchParams.get('code_challenge_method')).toBe('S256')
  // A request without the state is not from the issuer.
  const foreign = `${address.searchParams.get('redirect_uri')}?code=x&state=y`
  expect((await fetch(foreign)).status).toBe(404)
  expect(await browser()(address.href)).toContain('You are signed in')
  const signedIn = await end
  expect([signedIn.code, signedIn.err]).toEqual([0, expect.stringContaining('as grace@example.com')])
  const me = await cli.run(['whoami', '--json=email'], '', env)
  expect(JSON.parse(me.out.toString())).toEqual({ email: 'grace@example.com' })
  const doctor = await cli.run(['doctor'], '', env)
  expect([doctor.code, doctor.out.toString()]).toEqual([0, expect.stringContaining('allows loopback')])
})

it('an expiring token is renewed, and the next command uses the new one', async () => {
  const env = { XDG_CONFIG_HOME: join(cli.folder, 'loopback') }
  const file = join(env.XDG_CONFIG_HOME, 'snipkeep/credentials.json')
  const stored = async () => JSON.parse(await readFile(file, 'utf8')).profiles.default.sign_in
  const before = await stored()
  const late = {
    ...env,
    NODE_OPTIONS: `--import=data:text/javascript,const{now}=Date;Date.now=()=>now()+43190000`,
  }
  expect((await cli.run(['logout', '--profile', 'other'], '', env)).code).toBe(4)
  expect(before.refresh_token).toEqual(expect.any(String))
  await cli.run(['whoami'], '', late)
  expect((await stored()).refresh_token).not.toBe(before.refresh_token)
  expect((await cli.run(['whoami'], '', env)).code).toBe(0)
})

it('login --device shows a code to enter in a browser elsewhere', async () => {
  const env = { XDG_CONFIG_HOME: join(cli.folder, 'device') }
  const { groups, end } = await login(
    env,
    ['--device'],
    /open (?<address>\S+) and type this code: (?<code>\S+)/,
  )
  const visit = browser()
  const fields = (page: string) =>
    Object.fromEntries(
      [...page.matchAll(/name="(xsrf|user_code|confirm)" value="([^"]*)"/g)].map(([, n, v]) => [n, v]),
    )
  const asked = await visit('/device', {
    ...fields(await visit(groups.address ?? '')),
    user_code: groups.code ?? '',
  })
  expect(asked).toContain(groups.code)
  expect(await visit('/device', fields(asked))).toContain('You are signed in')
  const signedIn = await end
  expect([signedIn.code, signedIn.err]).toEqual([0, expect.stringContaining('as grace@example.com')])
  expect((await cli.run(['whoami'], '', env)).code).toBe(0)
})

it('Ctrl-C, or an empty store, means not signed in', async () => {
  const env = { XDG_CONFIG_HOME: join(cli.folder, 'nobody') }
  const child = cli.start(['login', '--server', system.baseUrl(), '--no-browser'], env)
  child.stderr?.once('data', () => child.kill('SIGINT'))
  expect((await ended(child)).code).toBe(130)
  expect((await cli.run(['whoami', '--server', system.baseUrl()], '', env)).code).toBe(4)
})
