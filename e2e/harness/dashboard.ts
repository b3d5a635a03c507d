import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { testPort } from '#libs/testing/test-port.js'
import { type ApiClient, apiClient } from './api-client.js'
import type { ProfileOptions } from './browser.js'
import type { Payments } from './payments.js'
import { planOf } from './subscribe.js'
import { startSystem, type TestSystem } from './system.js'
import { startProcess } from './system-process.js'
import { until } from './until.js'

const developmentAudience = 'snipkeep'

/** A system whose dashboard supports sign-in and payment. */
export interface DashboardSystem {
  readonly system: TestSystem
  readonly payments: Payments
  /** The profile options needed to sign in and pay. */
  readonly profile: ProfileOptions
  /** Opens a page below `/dashboard` and signs in, by a button of this name; returns a client for that user. */
  signIn(page: Page, name: string, path?: string, button?: string): Promise<ApiClient>
  stop(): Promise<void>
}

/** Signs in at the issuer by name, with the keyboard, past the two users that have buttons. */
export async function signInAtIssuer(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Free user' }).focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.type(name)
  await page.keyboard.press('Enter')
}

/** Starts the development issuer for a system whose gateway will have this address. */
async function startIssuer(publicBaseUrl: string): Promise<{ url: string; stop(): Promise<void> }> {
  const port = await testPort()
  const url = `http://127.0.0.1:${port}`
  const dataDir = await mkdtemp(join(tmpdir(), 'snipkeep-issuer-'))
  const issuer = startProcess('issuer', 'dist/dev/issuer/main.js', port, {
    NODE_ENV: 'test',
    DEV_ISSUER_HOST: '127.0.0.1',
    DEV_ISSUER_PORT: String(port),
    DEV_ISSUER_URL: url,
    DATA_DIR: dataDir,
    PUBLIC_BASE_URL: publicBaseUrl,
  })
  await until(async () => (await fetch(`${url}/.well-known/openid-configuration`)).ok)
  return {
    url,
    async stop() {
      await issuer.terminate()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/**
 * Starts a system with the development issuer and the payment sandbox.
 * @param serverUrl the Postgres server for its database, by default that of the test run.
 * @param env added to the gateway's environment.
 */
export async function startDashboard(
  serverUrl?: string,
  env: Readonly<Record<string, string>> = {},
): Promise<DashboardSystem> {
  const gatewayPort = await testPort()
  const issuer = await startIssuer(`http://127.0.0.1:${gatewayPort}`)
  const trust = { OIDC_ISSUERS: `${issuer.url}=${developmentAudience}` }
  const system = await startSystem({
    ...(serverUrl === undefined ? {} : { serverUrl }),
    gatewayPort,
    payments: {},
    gatewayEnv: { ...trust, ...env },
    processEnv: (name): Readonly<Record<string, string>> => (name === 'web' ? trust : {}),
  })
  const { payments } = system
  if (payments === null) throw new Error('there are no payments')
  return {
    system,
    payments,
    profile: {
      origins: [system.baseUrl(), issuer.url, `http://127.0.0.1:${payments.sandbox.port}`],
    },
    async signIn(page, name, path = '/dashboard/profile', button = 'Sign in') {
      await page.goto(`${system.baseUrl()}${path}`)
      const calling = page.waitForRequest(
        (request) =>
          request.url().startsWith(`${system.baseUrl()}/api/`) && 'authorization' in request.headers(),
      )
      await page.getByRole('button', { name: button }).focus()
      await page.keyboard.press('Enter')
      await signInAtIssuer(page, name)
      const { authorization = '' } = await (await calling).allHeaders()
      // With request interception the browser cache is off.
      await page.unrouteAll()
      return apiClient(system.baseUrl(), { Authorization: authorization })
    },
    async stop() {
      await system.stop()
      await issuer.stop()
    },
  }
}

/** Subscribes a user monthly and pays, without the dashboard. */
export async function makePro({ payments }: DashboardSystem, user: ApiClient): Promise<void> {
  const { id } = (await user.post('/api/subscription/checkout', { interval: 'month' })).json<{ id: string }>()
  await payments.control(`checkout/${id}/pay`)
  await until(async () => (await planOf(user)) === 'pro')
}

/** Opens a section by the navigation, on narrow screens perhaps by its menu, or by the menu of the account. */
export async function openSection(page: Page, heading: string): Promise<void> {
  const link = page
    .getByRole('navigation', { name: 'Sections' })
    .getByRole('link', { name: new RegExp(`^${heading}`) })
  if ((await link.count()) > 0) return link.click()
  const menu = page.getByRole('button', { name: heading === 'Profile' ? /^Account:/ : 'More', exact: true })
  await menu.click()
  await page.getByRole('menuitem', { name: heading, exact: true }).click()
}
