import { readFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { makeKey } from './harness/api-keys.js'
import { unpack } from './harness/archive.js'
import { describeWithBrowser, type Profile, startBrowser, type TestBrowser } from './harness/browser.js'
import { noBrowserErrors } from './harness/browser-errors.js'
import { type DashboardSystem, makePro, startDashboard } from './harness/dashboard.js'

let dashboard: DashboardSystem
let browser: TestBrowser
let profile: Profile

describeWithBrowser('the dashboard of an owner of keys', () => {
  beforeAll(async () => {
    ;[dashboard, browser] = await Promise.all([startDashboard(), startBrowser()])
  })
  afterAll(async () => {
    await browser?.close()
    await dashboard?.stop()
  })
  afterEach(() => profile?.close())

  it('rotates a key, warns while the old secret is used, ends it, and lists these events', async () => {
    profile = await browser.profile(dashboard.profile)
    const { system } = dashboard
    const page = await profile.newPage()
    const user = await dashboard.signIn(page, 'rita')
    await makePro(dashboard, user)
    const { key, client } = await makeKey(system, user, { name: 'deploy' })
    await page.goto(`${system.baseUrl()}/dashboard/keys`)
    await page.getByRole('button', { name: 'Rotate deploy' }).click()
    const asking = page.getByRole('dialog', { name: 'Give “deploy” a new secret' })
    await asking.getByText('A new secret that is not used within seven days expires').waitFor()
    await asking.getByRole('button', { name: 'Create new secret' }).click()
    const shown = page.getByRole('dialog', { name: 'Your new key' })
    const next = (await shown.locator('pre').first().textContent()) ?? ''
    expect(next).toMatch(/^snk_[A-Za-z0-9]{40}$/)
    expect(next).not.toBe(key)
    await shown.getByRole('button', { name: 'I have stored it' }).click()
    await page.getByText('It stays valid until the new one has been used.').waitFor()
    expect((await client.get('/api/snippets')).status).toBe(200)
    expect((await system.withKey(next).get('/api/snippets')).status).toBe(200)
    const lastUse = async () =>
      (await user.get('/api/keys')).json<{ keys: { previous: { last_used_at: unknown } | null }[] }>().keys[0]
        ?.previous?.last_used_at
    await expect.poll(lastUse).toEqual(expect.any(String))
    await page.reload()
    await page.getByText(/It expires .* Something still used it/).waitFor()
    await page.getByRole('button', { name: 'End it now deploy' }).click()
    await page.getByRole('button', { name: 'End old secret' }).click()
    await page.getByText('Old secret ended').waitFor()
    expect((await client.get('/api/snippets')).status).toBe(401)
    expect((await system.withKey(next).get('/api/snippets')).status).toBe(200)

    await page.getByRole('navigation').getByRole('link', { name: 'Events' }).click()
    await page.getByText('Key “deploy” got a new secret').waitFor()
    await page.getByText('The old secret of key “deploy” was ended').waitFor()
    await page.getByText('The plan changed from Free to Pro').waitFor()
    expect(await page.content()).not.toContain(next.slice(8, -4))
    expect(profile.browserErrors).toEqual(noBrowserErrors)
  })

  it('exports everything as one file', async () => {
    profile = await browser.profile(dashboard.profile)
    const page = await profile.newPage()
    const user = await dashboard.signIn(page, 'mover')
    await user.post('/api/snippets', { tool: 'csv', title: 'Mine', data: { v: 1 } })
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export everything' }).click()
    const download = await downloading
    expect(download.suggestedFilename()).toMatch(/^snipkeep-[-0-9]+\.tar\.gz$/)
    await page.getByText('The archive is complete.').waitFor()
    const files = await unpack(readFileSync(await download.path()))
    expect(files.has('manifest.json')).toBe(true)
    expect(profile.browserErrors).toEqual(noBrowserErrors)
  })
})
