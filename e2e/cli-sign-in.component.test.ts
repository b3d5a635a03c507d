import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type JsonServer, startJsonServer } from '#libs/testing/json-server.js'
import { areInstalled } from '#libs/testing/programs.js'
import { testPort } from '#libs/testing/test-port.js'
import { buildCommandLine, type CommandLine, ended } from './harness/command-line.js'
import { type DevelopmentIssuer, startDevelopmentIssuer } from './harness/development-issuer.js'
import { type SystemInProcess, startSystem } from './harness/system-in-process.js'

let cli: CommandLine
let system: SystemInProcess
let issuer: DevelopmentIssuer

beforeAll(async () => {
  const port = await testPort()
  system = await startSystem({
    env: { OIDC_ISSUERS: `http://127.0.0.1:${port}=snipkeep` },
    // A gateway that starts before its issuer asks again after half a minute.
    async gatewayEnv(_gateway, publicBaseUrl) {
      issuer = await startDevelopmentIssuer(port, publicBaseUrl)
      return {}
    },
  })
  cli = await buildCommandLine()
})
afterAll(async () => {
  await cli?.stop()
  await system?.stop()
  await issuer?.stop()
})

/** A minimal browser: it keeps the issuer's cookies, and follows redirects and what pages name to go on to. */
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
    const next =
      response.headers.get('Location') ?? response.headers.get('Refresh')?.replace(/^0; url=/, '') ?? null
    if (next === null) return response.text()
    return next.includes('/sign-in/') && !url.pathname.startsWith('/sign-in/')
      ? visit(next, { login: 'grace' })
      : visit(new URL(next, url).href)
  }
}

/** Starts a sign-in, and waits for the URL that it prints. */
async function login(
  env: Record<string, string>,
  flags: readonly string[],
  printed: RegExp,
  server = system.baseUrl(),
) {
  const child = cli.start(['login', '--server', server, ...flags], env)
  let text = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    text += chunk.toString()
  })
  const end = ended(child)
  await expect.poll(() => text).toMatch(printed)
  return { groups: printed.exec(text)?.groups ?? {}, end, child }
}

const signInAddress = /^(?<address>http\S+\/(?:auth|authorize)\?\S+)$/m

it('login opens the issuer, is passed on to this machine by the server, and stores the tokens', async () => {
  const env = { XDG_CONFIG_HOME: join(cli.folder, 'loopback') }
  const { groups, end } = await login(env, ['--no-browser'], signInAddress)
  const address = new URL(groups.address ?? '')
  expect(address.searchParams.get('redirect_uri')).toBe(`${system.baseUrl()}/cli/callback`)
  expect(address.searchParams.get('code_challenge_method')).toBe('S256')
  const [port] = (address.searchParams.get('state') ?? '').split('.')
  // A request without the state is not from the issuer.
  for (const foreign of [`/callback?code=x&state=y&server=${system.baseUrl()}`, '/callback', '//'])
    expect((await fetch(`http://127.0.0.1:${port}${foreign}`)).status, foreign).toBe(404)
  expect(await browser()(address.href)).toContain('You are signed in')
  const signedIn = await end
  expect([signedIn.code, signedIn.err]).toEqual([0, expect.stringContaining('as grace@example.com')])
  const me = await cli.run(['whoami', '--json=email'], '', env)
  expect(JSON.parse(me.out.toString())).toEqual({ email: 'grace@example.com' })
  const doctor = await cli.run(['doctor'], '', env)
  expect([doctor.code, doctor.out.toString()]).toEqual([
    0,
    expect.stringContaining('allows the redirect through'),
  ])
})

describe('the first commands of the front page', () => {
  const content = 'name,role\nAda,engineer\n'
  let fetchIt = ''
  let link = ''

  it('work for a free user, who then has a link for anyone', async () => {
    const env = { XDG_CONFIG_HOME: join(cli.folder, 'front-page') }
    const page = await (await fetch(`${system.baseUrl()}/`)).text()
    const lines = [...page.matchAll(/<code>([^<]*)<\/code>/g)].map(([, line = '']) =>
      line.replaceAll('&quot;', '"'),
    )
    const [signIn, share = ''] = lines
    fetchIt = lines[2] ?? ''
    expect(signIn).toBe(`snipkeep login --server ${system.baseUrl()}`)
    const { groups, end } = await login(env, ['--no-browser'], signInAddress)
    await browser()(groups.address ?? '')
    expect((await end).code).toBe(0)
    const me = JSON.parse((await cli.run(['whoami', '--json=plan'], '', env)).out.toString())
    expect(me).toEqual({ plan: 'free' })
    await writeFile(join(cli.folder, 'team.csv'), content)
    const stay = `cd '${cli.folder}' && export XDG_CONFIG_HOME='${env.XDG_CONFIG_HOME}'`
    const shared = await cli.bash(`${stay} && ${share}`)
    link = shared.out.toString().trim()
    expect([shared.code, link]).toEqual([0, expect.stringMatching(`^${system.baseUrl()}/s/`)])
    expect(fetchIt).toMatch(/^curl .*\$ID/)
  })

  it.skipIf(!areInstalled('curl'))('fetch what the link shares (needs curl)', async () => {
    const fetched = await cli.bash(`ID=${link.split('/').at(-1)}; ${fetchIt} -sS`)
    expect(fetched.out.toString()).toBe(content)
  })
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

describe('a server of a stranger', () => {
  /** A server with the sign-in settings of the installation, and other answers that it chooses. */
  async function withStranger(
    answers: (url: string) => Readonly<Record<string, unknown>>,
    run: (stranger: JsonServer) => Promise<void>,
  ): Promise<void> {
    const stranger = await startJsonServer(
      (path, _headers, url) => answers(url)[path.replace(/\?.*/, '')] ?? 404,
    )
    try {
      await run(stranger)
    } finally {
      await stranger.stop()
    }
  }

  const settings = async () =>
    (await (await fetch(`${system.baseUrl()}/config.json`)).json()) as Record<string, unknown>

  it('that copies the settings of another one is refused', async () => {
    const copied = await settings()
    await withStranger(
      () => ({ '/config.json': copied }),
      async ({ url, hits }) => {
        for (const flags of [['--no-browser'], ['--device']]) {
          const ran = await cli.run(['login', '--server', url, ...flags])
          expect([ran.code, ran.err]).toEqual([
            1,
            expect.stringContaining(`calls itself ${system.baseUrl()}`),
          ])
        }
        expect(hits()).toBe(2)
      },
    )
  })

  it('that calls itself what it is gets nobody from the issuer of another one', async () => {
    const copied = await settings()
    await withStranger(
      (url) => ({ '/config.json': { ...copied, public_base_url: url } }),
      async ({ url, hits }) => {
        const { groups, end, child } = await login({}, ['--no-browser'], signInAddress, url)
        expect(await browser()(groups.address ?? '')).toContain('invalid_redirect_uri')
        child.kill('SIGINT')
        expect([(await end).code, hits()]).toEqual([130, 1])
      },
    )
  })

  it('that sends the browser on to the issuer of another one gets no code', async () => {
    await withStranger(
      (url) => ({
        '/config.json': {
          sign_in: { issuer: url, client_id: 'snipkeep', cli_client_id: 'snipkeep', scopes: 'openid' },
          public_base_url: url,
        },
        '/.well-known/openid-configuration': {
          issuer: url,
          authorization_endpoint: `${url}/authorize`,
          token_endpoint: `${url}/token`,
        },
      }),
      async ({ url, hits }) => {
        const { groups, end } = await login({}, ['--no-browser'], signInAddress, url)
        const before = hits()
        const led = new URL(`${issuer.url}/auth`)
        led.search = new URL(groups.address ?? '').search
        led.searchParams.set('redirect_uri', `${system.baseUrl()}/cli/callback`)
        expect(await browser()(led.href)).toContain('for another server')
        const { code, err } = await end
        expect([code, err]).toEqual([
          4,
          expect.stringContaining(`came back through ${system.baseUrl()} instead of`),
        ])
        expect(hits()).toBe(before)
      },
    )
  })

  it('gets no code of a device where nobody can be asked', async () => {
    const { sign_in } = await settings()
    await withStranger(
      (url) => ({ '/config.json': { sign_in, public_base_url: url.replace('127.0.0.1', 'localhost') } }),
      async ({ url, hits }) => {
        const server = url.replace('127.0.0.1', 'localhost')
        const { code, out, err } = await cli.run(['login', '--server', server, '--device'])
        expect([code, out.toString(), hits()]).toEqual([2, '', 1])
        expect(err).toContain(
          `${new URL(issuer.url).host} signs you in; ${server}/ gets the right to act as you.`,
        )
        expect(err).not.toContain('type this code')
      },
    )
  })
})
