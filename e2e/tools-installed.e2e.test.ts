import { expect, it } from 'vitest'
import { tools } from '#engine/tools/registry.js'
import { describeWithBrowser } from './harness/browser.js'
import { startDashboard } from './harness/dashboard.js'
import { inBrowser } from './harness/in-browser.js'
import { startNetwork } from './harness/network.js'
import { inputOf, madeOn } from './harness/tool-page.js'
import { viewShown } from './harness/viewer.js'

describeWithBrowser('the installed tools', () => {
  const { system: dashboard, newPage, browserErrors } = inBrowser(() => startDashboard())
  const baseUrl = (): string => dashboard().system.baseUrl()

  it('work without a network after the first visit, every tool, and keep nothing of the API', async () => {
    const network = await startNetwork(Number(new URL(baseUrl()).port))
    const page = await newPage({ serviceWorkers: 'allow' })
    await page.goto(`${network.url}/tools`)
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)')
    await network.cut()
    for (const { name, title } of tools) {
      await page.goto(`${network.url}/tools/${name}`)
      expect(await page.locator('h1').textContent()).toBe(title)
      await page.getByRole('button', { name: 'Try an example' }).click()
      await madeOn(page)
      await viewShown(page)
    }
    const kept = await page.evaluate<string[]>(`caches.keys()
      .then((names) => Promise.all(names.map(async (name) => (await caches.open(name)).keys())))
      .then((lists) => lists.flat().map(({ url }) => new URL(url).pathname))`)
    expect(kept.filter((path) => !/^\/assets\/|^\/tools\/offline\.json$/.test(path))).toEqual([])
    expect(browserErrors().violations).toEqual([])
  })

  it('take what another app shares with the installed one, and send it nowhere', async () => {
    const page = await newPage({ serviceWorkers: 'allow' })
    await page.goto(`${baseUrl()}/tools`)
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)')
    await page.reload()
    const sent: string[] = []
    page.context().on('request', (request) => {
      if (request.method() === 'POST' && request.serviceWorker() !== null) sent.push(request.url())
    })
    await page.evaluate(`(() => {
      const form = document.createElement('form')
      Object.assign(form, { method: 'post', action: '/tools/shared', enctype: 'multipart/form-data' })
      const area = document.createElement('textarea')
      Object.assign(area, { name: 'text', value: ${JSON.stringify(JSON.stringify([1, { a: 1.5 }]))} })
      form.append(area)
      document.body.append(form)
      form.submit()
    })()`)
    await page.getByText('Choose a tool for what you shared.').waitFor()
    expect(new URL(page.url()).hash).toBe('')
    await page.getByRole('link', { name: 'Minify JSON' }).click()
    await madeOn(page)
    expect(await inputOf(page).inputValue()).toBe('[1,{"a":1.5}]')
    expect(sent).toEqual([])
    // From here on it is an input like any other, which the tab keeps.
    await page.reload()
    await madeOn(page)
    expect(await inputOf(page).inputValue()).toBe('[1,{"a":1.5}]')
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.reload()
    await page.getByRole('button', { name: 'Try an example' }).waitFor()
    expect(browserErrors().violations).toEqual([])
  })
})
