import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { accessibilityProblems, overflowOf } from './harness/accessibility.js'
import { describeWithBrowser, type ProfileOptions } from './harness/browser.js'
import { noBrowserErrors } from './harness/browser-errors.js'
import { inBrowser } from './harness/in-browser.js'
import { startSystem } from './harness/system.js'

describeWithBrowser('someone who reads the guides', () => {
  const { system, newPage, browserErrors } = inBrowser(() => startSystem())

  async function open(path: string, options?: ProfileOptions): Promise<Page> {
    const page = await newPage(options)
    await page.goto(`${system().baseUrl()}${path}`)
    return page
  }

  it('searches and follows a link to a heading, without scripts', async () => {
    const page = await open('/docs', { javaScriptEnabled: false })
    await page.getByRole('searchbox', { name: 'Search the guides' }).fill('github actions')
    await page.getByRole('button', { name: 'Search' }).click()
    await page.getByRole('heading', { name: '2 headings for “github actions”' }).waitFor()
    await page.getByRole('link', { name: 'GitHub Actions' }).first().click()
    await page.waitForURL(/\/docs\/ci#github-actions$/)
    await page.getByRole('heading', { name: 'GitHub Actions' }).waitFor()
    expect(await page.getByRole('button', { name: /^Copy/ }).count()).toBe(0)
  })

  it.each(['/docs', '/docs/cli'])('finds headings while typing at %s, with one request', async (path) => {
    const page = await open(path)
    const requested: string[] = []
    page.on('request', (request) => requested.push(new URL(request.url()).pathname))
    await page.getByRole('searchbox', { name: 'Search the guides' }).pressSequentially('github act')
    await page.getByRole('heading', { name: '2 headings for “github act”' }).waitFor()
    await page.getByRole('searchbox', { name: 'Search the guides' }).pressSequentially('ions xyzzy')
    await page.getByRole('heading', { name: '2 headings for “github actions xyzzy”' }).waitFor()
    expect(requested.filter((one) => !one.startsWith('/assets/'))).toEqual(['/docs/headings.json'])
    expect(await accessibilityProblems(page)).toEqual([])
    await page.getByRole('link', { name: 'GitHub Actions' }).first().click()
    await page.waitForURL(/\/docs\/ci#github-actions$/)
    expect(browserErrors()).toEqual(noBrowserErrors)
  })

  it('still searches where the headings do not load', async () => {
    const page = await open('/docs')
    await page.route('**/headings.json', (route) => route.fulfill({ status: 503 }))
    await page.getByRole('searchbox', { name: 'Search the guides' }).fill('github actions')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/docs\?q=github\+actions$/)
    await page.getByRole('heading', { name: '2 headings for “github actions”' }).waitFor()
  })

  it('copies the commands of a session, without prompts and output', async () => {
    const page = await open('/docs/using-the-api', { permissions: ['clipboard-read', 'clipboard-write'] })
    await page.getByRole('button', { name: 'Copy: TOKEN=' }).first().click()
    await page.getByText('Copied.', { exact: true }).waitFor()
    const copied = await page.evaluate<string>('navigator.clipboard.readText()')
    expect(copied).toMatch(/^TOKEN=\$\(npm run --silent token -- free\)\ncurl -s /)
    expect(copied).not.toMatch(/^(\$ |\{)/m)
    expect(browserErrors()).toEqual(noBrowserErrors)
  })

  it.each([
    ['/docs?q=gates', 320],
    ['/docs/nope', 320],
    ['/docs/limits', 320],
    ['/docs/using-the-api', 320],
    ['/docs/configuration', 1_280],
    ['/docs/tools', 1_280],
  ])('finds %s accessible in both color schemes, and no wider than %i px', async (path, width) => {
    const page = await open(path, { viewport: { width, height: 900 } })
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await overflowOf(page)).toBe(0)
    expect(await accessibilityProblems(page)).toEqual([])
  })
})
