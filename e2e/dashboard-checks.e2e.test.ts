import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { accessibilityProblems } from './harness/accessibility.js'
import type { ApiClient } from './harness/api-client.js'
import { describeWithBrowser } from './harness/browser.js'
import { noBrowserErrors } from './harness/browser-errors.js'
import { startDashboard } from './harness/dashboard.js'
import { inBrowser } from './harness/in-browser.js'

interface Sent {
  readonly id: string
  readonly url: string
  readonly verdict: string
  readonly state: string
}

const prices = (dach: number, nordics = 19.9) => ({
  day: '2030-01-31',
  rows: [
    { region: 'Nordics', price: nordics },
    { region: 'DACH', price: dach },
  ],
})
const job = 'https://ci.example/acme/shop/runs/7'

describeWithBrowser('someone whose job sends its output', () => {
  const { system: dashboard, newPage, browserErrors } = inBrowser(() => startDashboard())

  async function signIn(name: string, path?: string): Promise<{ page: Page; user: ApiClient }> {
    const page = await newPage({ ...dashboard().profile, reducedMotion: 'reduce' })
    return { page, user: await dashboard().signIn(page, name, path) }
  }

  async function save(user: ApiClient, data: object): Promise<string> {
    const made = await user.post('/api/snippets', { tool: 'report', title: 'Prices', name: 'prices', data })
    return made.json<{ readonly id: string }>().id
  }

  async function put(user: ApiClient, path: string, body: object): Promise<void> {
    const put = await user.request('PUT', `/api/snippets/@prices${path}`, {
      headers: { 'Content-Type': 'application/json' },
      body,
    })
    expect([200, 201]).toContain(put.status)
  }

  async function send(user: ApiClient, data: object, query = ''): Promise<Sent> {
    const sent = await user.post(`/api/snippets/@prices/checks${query}`, { data })
    expect(sent.status).toBe(201)
    return sent.json<Sent>()
  }

  async function setContract(page: Page, rules: string): Promise<void> {
    const dialog = page.getByRole('dialog', { name: /contract$/ })
    await dialog.getByLabel('Rules').fill(rules)
    await dialog.getByRole('button', { name: 'Save' }).click()
  }

  it('sets a contract, approves by keyboard what breaks it, and the next output passes', async () => {
    const { page, user } = await signIn('chloe')
    const id = await save(user, prices(24.5))
    await page.goto(new URL(`/dashboard/snippets/${id}`, page.url()).href)
    await page.getByRole('button', { name: 'More actions for Prices' }).click()
    await page.getByRole('menuitem', { name: 'Add contract' }).click()
    await setContract(page, '{"tolerance":[{"path":"/rows/*/price","absolute":0.05}]}')
    await page
      .getByRole('dialog')
      .getByText(/At \/tolerance\/0\/absolute: /)
      .waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    await setContract(page, '{"tolerance":[{"path":"/rows/*/price","absolute":"0.05"}]}')
    await page.getByRole('heading', { name: 'Contract', exact: true }).waitFor()

    const broken = await send(user, prices(34.5, 19.91), `?source=${encodeURIComponent(job)}`)
    expect(broken).toMatchObject({ verdict: 'breaks', state: 'pending' })
    await page.reload()
    await page.getByRole('link', { name: '1 check waits for you' }).click()
    await page.getByText('Breaks the contract').waitFor()
    expect(await page.getByRole('link', { name: 'ci.example/acme/shop/runs/7' }).getAttribute('href')).toBe(
      job,
    )
    await page.getByRole('rowheader', { name: '/rows/1/price' }).waitFor()
    const changes = page.getByRole('region', { name: 'Differences' })
    await changes.getByText('breaks', { exact: true }).waitFor()
    expect(await changes.getByText('breaks', { exact: true }).count()).toBe(1)
    expect(await accessibilityProblems(page)).toEqual([])

    await page.keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await expect.poll(() => help.getByRole('term').allTextContents()).toContain('Approve')
    await page.keyboard.press('Escape')
    await help.waitFor({ state: 'detached' })
    await page.keyboard.press('a')
    await page.getByRole('dialog', { name: 'Approve this output?' }).waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    await page.keyboard.type('New prices.')
    await page.keyboard.press('Enter')
    await page.getByText('approved', { exact: true }).waitFor()
    await page.getByText('New prices.').waitFor()
    expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0)

    expect(await send(user, prices(34.52), '?accept=allowed')).toMatchObject({
      verdict: 'allowed',
      state: 'accepted',
    })
    expect(browserErrors()).toEqual(noBrowserErrors)
  })

  it('comes from a link past the sign-in, and hears what to do about a newer version', async () => {
    const { page: first, user } = await signIn('colin')
    await save(user, prices(24.5))
    const { url } = await send(user, prices(30))
    await first.close()
    const { page } = await signIn('colin', new URL(url).pathname)
    await page.getByRole('heading', { level: 1, name: 'Prices' }).waitFor()
    await put(user, '', { tool: 'report', title: 'Prices', data: prices(31) })
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.keyboard.press('Enter')
    await page.getByText(/Run the job again/).waitFor()
    expect(await accessibilityProblems(page)).toEqual([])

    await page.keyboard.press('r')
    const dialog = page.getByRole('dialog', { name: 'Reject this output?' })
    await dialog.waitFor()
    const { id } = await user.get('/api/snippets/@prices/checks').then((found) => {
      const [newest] = found.json<{ readonly checks: readonly Sent[] }>().checks
      if (newest === undefined) throw new Error('there is no check')
      return newest
    })
    await user.post(`/api/checks/${id}/reject`, {})
    await dialog.getByRole('button', { name: 'Reject' }).click()
    await page.getByText(/was decided elsewhere/).waitFor()
    await page.getByText('rejected', { exact: true }).waitFor()
    await page.getByText('The candidate is no longer kept.').waitFor()
    expect(browserErrors()).toEqual(noBrowserErrors)
  })

  it('sees which checks wait, and removes the contract', async () => {
    const { page, user } = await signIn('carol')
    const id = await save(user, prices(24.5))
    await put(user, '/contract', { compare: 'values' })
    await send(user, prices(24.5))
    await send(user, prices(99))
    await page.goto(new URL(`/dashboard/snippets/${id}`, page.url()).href)
    const list = page.getByRole('list', { name: 'Checks' })
    await list.getByRole('link', { name: 'Nothing differs' }).waitFor()
    await page.getByRole('button', { name: /^All/ }).click()
    await page.getByRole('option', { name: 'Pending' }).click()
    await list.getByRole('link', { name: 'Nothing differs' }).waitFor({ state: 'detached' })
    await list.getByRole('link', { name: 'Breaks the contract' }).waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    await page.getByRole('button', { name: 'Remove contract' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove contract' }).click()
    await page.getByRole('heading', { name: 'Contract', exact: true }).waitFor({ state: 'detached' })
    expect((await user.get('/api/snippets/@prices/contract')).status).toBe(404)
    expect(browserErrors()).toEqual(noBrowserErrors)
  })

  it('never overwrites the contract that somebody else has set meanwhile', async () => {
    const { page, user } = await signIn('cleo')
    const id = await save(user, prices(24.5))
    const rulesNow = async () =>
      (await user.get('/api/snippets/@prices/contract')).json<{ readonly rules: unknown }>().rules
    const heading = page.getByRole('heading', { name: 'Contract', exact: true })
    const expectRefusal = async (): Promise<void> => {
      await page.getByText(/^The contract was changed elsewhere/).waitFor()
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    }
    await page.goto(new URL(`/dashboard/snippets/${id}`, page.url()).href)
    await page.getByRole('button', { name: 'More actions for Prices' }).click()
    await page.getByRole('menuitem', { name: 'Add contract' }).click()
    await put(user, '/contract', { ignore: ['/theirs'] })
    await setContract(page, '{"ignore":["/mine"]}')
    await expectRefusal()
    expect(await rulesNow()).toEqual({ ignore: ['/theirs'] })

    await heading.waitFor()
    await page.getByRole('button', { name: 'Edit contract' }).click()
    expect(await page.getByRole('dialog').getByLabel('Rules').inputValue()).toContain('/theirs')
    await put(user, '/contract', { ignore: ['/later'] })
    await setContract(page, '{"ignore":["/mine"]}')
    await expectRefusal()
    expect(await rulesNow()).toEqual({ ignore: ['/later'] })
    await page.getByRole('button', { name: 'Edit contract' }).click()
    expect(await page.getByRole('dialog').getByLabel('Rules').inputValue()).toContain('/later')
    await setContract(page, '{"ignore":["/mine"]}')
    await page.getByText('Contract saved').waitFor()
    expect(await rulesNow()).toEqual({ ignore: ['/mine'] })
    expect(browserErrors()).toEqual(noBrowserErrors)
  })

  it('sees the candidate alone once the baseline is gone, and hears that the candidate is', async () => {
    const { page, user } = await signIn('clara')
    await save(user, prices(24.5))
    const { id } = await send(user, prices(30))
    const gone = { status: 404, json: { code: 'not_found', detail: 'It is gone.' } }
    await page.route('**/revisions/1/raw', (route) => route.fulfill(gone))
    await page.goto(new URL(`/dashboard/checks/${id}`, page.url()).href)
    await page.getByText(/is no longer kept\. The candidate is shown alone\.$/).waitFor()
    await page.getByRole('region', { name: 'Data of Prices' }).getByText('DACH').first().waitFor()
    await page.route('**/api/checks/*/raw', (route) => route.fulfill(gone))
    await page.reload()
    await page.getByText('The candidate is no longer kept.').waitFor()
    expect(await page.getByRole('button', { name: 'Download candidate' }).count()).toBe(0)
    expect(browserErrors()).toEqual(noBrowserErrors)
  })

  it('hears why a contract cannot be read, and can try again', async () => {
    const { page, user } = await signIn('celia')
    const address = new URL(`/dashboard/snippets/${await save(user, prices(24.5))}`, page.url()).href
    const json = { code: 'internal', detail: 'The contract is out of reach.' }
    await page.route('**/contract', (route) => route.fulfill({ status: 500, json }))
    await page.goto(address)
    await page.getByText('The contract is out of reach.').waitFor()
    await page.unroute('**/contract')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('The contract is out of reach.').waitFor({ state: 'detached' })
    expect(browserErrors()).toEqual(noBrowserErrors)
  })
})
