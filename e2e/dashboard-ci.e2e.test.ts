import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { describeWithBrowser, type Profile, startBrowser, type TestBrowser } from './harness/browser.js'
import { noBrowserErrors } from './harness/browser-errors.js'
import { exchangeToken, type FakeCiIssuer, githubClaims, startFakeCiIssuer } from './harness/ci-issuer.js'
import { type DashboardSystem, makePro, startDashboard } from './harness/dashboard.js'

let browser: TestBrowser
let dashboard: DashboardSystem
let github: FakeCiIssuer
let profile: Profile

describeWithBrowser('the owner of a repository at the dashboard', () => {
  beforeAll(async () => {
    github = await startFakeCiIssuer(githubClaims, 'github')
    const env = { CI_ISSUERS: `github=github+${github.url},gitlab` }
    ;[dashboard, browser] = await Promise.all([startDashboard(undefined, env), startBrowser()])
  })
  afterAll(async () => {
    await browser?.close()
    await dashboard?.stop()
    await github?.stop()
  })
  afterEach(() => profile?.close())

  async function exchange(id: string, changes: Record<string, unknown> = {}): Promise<number> {
    const { system } = dashboard
    const token = await github.token(system.baseUrl(), changes)
    return (await exchangeToken(system.anyone(), id, token)).status
  }

  async function addRule(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'New rule' }).first().click()
    const form = page.getByRole('dialog', { name: 'New rule' })
    await form.getByLabel('Repository').fill('acme/website')
    await form.getByLabel('Branch').fill('main')
    await form.getByRole('button', { name: 'Create rule' }).click()
    await form.waitFor({ state: 'detached' })
    await page.getByText('waiting for ids').waitFor()
  }

  it('adds a rule, pins the ids of the job it rejected, sees the next one pass, and deletes it', async () => {
    profile = await browser.profile(dashboard.profile)
    const page = await profile.newPage()
    const user = await dashboard.signIn(page, 'ci-owner', '/dashboard/ci')
    await page.getByRole('heading', { name: 'CI without keys is part of Pro' }).waitFor()
    await makePro(dashboard, user)
    await page.reload()
    await page.getByRole('heading', { name: 'No CI jobs are trusted' }).waitFor()
    await addRule(page)
    const list = (await user.get('/api/trusted-publishers')).json<{
      trusted_publishers: readonly { id: string; claims: object }[]
    }>()
    const [rule] = list.trusted_publishers
    expect(rule?.claims).toEqual({ ref: 'refs/heads/main' })
    const id = rule?.id ?? ''

    expect(await exchange(id)).toBe(400)
    await page.getByText('the ids of the repository are not pinned yet').waitFor()
    await page.getByRole('button', { name: 'Pin these ids' }).click()
    const dialog = page.getByRole('dialog', { name: 'Trust this repository?' })
    expect(await dialog.getByRole('definition').allTextContents()).toEqual(
      expect.arrayContaining(['74', '65', 'acme/website']),
    )
    await dialog.getByRole('button', { name: 'Pin ids' }).click()
    await page.getByText('on', { exact: true }).waitFor()
    expect(await exchange(id)).toBe(200)
    await page.getByText('A token was issued').waitFor()
    expect(await exchange(id, { repository_id: '99' })).toBe(400)
    await page.getByText('Refused: the token is from another repository').waitFor()
    await page.getByRole('button', { name: 'Pin these ids' }).first().click()
    await page.getByText('the ids that you have pinned are different').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()

    await page.getByRole('button', { name: 'Delete acme/website' }).click()
    await page.getByRole('button', { name: 'Delete rule' }).click()
    await page.getByText('Rule deleted').waitFor()
    await page.getByRole('heading', { name: 'No CI jobs are trusted' }).waitFor()
    expect(await exchange(id)).toBe(400)
    expect(profile.browserErrors).toEqual(noBrowserErrors)
  })
})
