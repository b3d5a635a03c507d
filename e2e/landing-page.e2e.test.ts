import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { accessibilityProblems } from './harness/accessibility.js'
import { makeKey } from './harness/api-keys.js'
import { describeWithBrowser, type Profile, startBrowser, type TestBrowser } from './harness/browser.js'
import { noBrowserErrors } from './harness/browser-errors.js'
import { startSystem, type TestSystem } from './harness/system.js'
import { viewShown } from './harness/viewer.js'

let system: TestSystem
let browser: TestBrowser
let profile: Profile

describeWithBrowser('the landing page', () => {
  beforeAll(async () => {
    ;[system, browser] = await Promise.all([startSystem({ payments: {} }), startBrowser()])
  })
  afterAll(async () => {
    await browser?.close()
    await system?.stop()
  })
  afterEach(() => profile?.close())

  async function open(): Promise<Page> {
    profile = await browser.profile()
    return profile.newPage()
  }

  it('begins at its top, also on a phone, when its example has loaded', async () => {
    profile = await browser.profile({ viewport: { width: 360, height: 640 } })
    const page = await profile.newPage()
    await page.goto(system.baseUrl())
    await viewShown(page)
    await page.getByRole('tab', { name: 'csv', selected: true }).waitFor()
    expect(await page.evaluate('scrollY')).toBe(0)
    await page.getByRole('heading', { level: 1 }).waitFor()
  })

  it('has a share to try, the prices, and a curl command for scripts that works here', async () => {
    const page = await open()
    await page.goto(system.baseUrl())
    await viewShown(page)
    await page
      .getByRole('columnheader', { name: /^diameter/ })
      .getByRole('button')
      .click()
    await page.locator('[role=columnheader][aria-sort=ascending]').waitFor()
    await page.getByRole('gridcell', { name: '0.330' }).click()
    await page.getByText('Row 2, column 3').waitFor()
    const link = page.url()
    expect(link).toMatch(/\/#cell=2,3@\/csv$/)
    await page.goto('about:blank')
    await page.goto(link)
    await page.getByText('Row 2, column 3').waitFor()

    await page.getByRole('tab', { name: 'input' }).click()
    await viewShown(page)
    await page.getByText('"mass (10^24 kg)": 0.330').waitFor()
    const colour = `getComputedStyle(document.querySelector('.token-key')).color`
    expect(await page.evaluate<string>(colour)).toBe('rgb(8, 66, 160)')
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await page.evaluate<string>(colour)).toBe('rgb(158, 193, 255)')

    const pro = page.getByRole('article').filter({ has: page.getByRole('heading', { name: 'Pro' }) })
    await pro.getByText(/ per month$/).waitFor()
    await expect.poll(() => pro.textContent()).toContain('Snippetsunlimited')

    const user = await system.user('emmy', 'pro')
    const { key } = await makeKey(system, user)
    const folder = await mkdtemp(join(tmpdir(), 'snipkeep-lines-'))
    await writeFile(join(folder, 'team.csv'), 'name,role\nAda,engineer\n')
    const [, , fetchIt = '', share = ''] = await page.locator('#commands code').allTextContents()
    const run = (line: string, ID = ''): string =>
      execFileSync('sh', ['-c', `${line} -sS`], {
        encoding: 'utf8',
        cwd: folder,
        env: { ...process.env, KEY: key, ID },
      })
    const shared = run(share).trim()
    expect(shared).toMatch(`${system.baseUrl()}/s/`)
    expect(run(fetchIt, shared.split('/').at(-1))).toBe('name,role\nAda,engineer\n')
    await rm(folder, { recursive: true })
    expect(profile.browserErrors).toEqual(noBrowserErrors)
  })

  it('says what was pasted, and opens the tool for it with the input', async () => {
    const page = await open()
    await page.goto(system.baseUrl())
    const field = page.getByRole('textbox', { name: 'Your data' })
    const kind = page.locator('.paste-kind')
    await field.fill('# Notes\n\n- one\n- two\n\nA [link](https://example.com).\n')
    await kind.getByText('Markdown').waitFor()
    await page.getByRole('button', { name: 'Share…' }).waitFor()
    await field.fill('id,city\n1,Paris\n2,Rome\n')
    await kind.getByText('CSV').waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    await page.getByRole('button', { name: 'CSV to JSON' }).click()
    await page.locator('#result').getByText('"Paris"').waitFor()
    expect(new URL(page.url()).pathname).toBe('/tools/csv-to-json')
    await page.goBack()
    const buffer = Buffer.from('{"a":1}')
    await page
      .locator('#paste-bar input[type=file]')
      .setInputFiles({ name: 'a.json', mimeType: 'application/json', buffer })
    await kind.getByText('a.json · JSON').waitFor()
    await page.getByRole('button', { name: 'Format JSON' }).click()
    await page.locator('#result').getByText('"a": 1').waitFor()
    await field.waitFor({ state: 'detached' })
    expect(profile.browserErrors).toEqual(noBrowserErrors)
  })

  it('has links to tools, the plans and the example without scripts', async () => {
    profile = await browser.profile({ javaScriptEnabled: false })
    const page = await profile.newPage()
    await page.goto(system.baseUrl())
    expect(await page.getByRole('textbox').count()).toBe(0)
    await page.getByRole('article').filter({ hasText: 'per month' }).waitFor()
    await page.getByText('Mercury,4879').waitFor()
    await page.getByRole('link', { name: 'CSV to JSON' }).click()
    await page.getByRole('button', { name: 'Run' }).waitFor()
  })
})
