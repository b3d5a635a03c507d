import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { startEmbeddedPostgres } from '#libs/embedded-postgres/start-embedded-postgres.js'
import type { ApiClient } from './harness/api-client.js'
import { startBrowser, type TestBrowser } from './harness/browser.js'
import { type DashboardSystem, makePro, startDashboard } from './harness/dashboard.js'
import { makeShare } from './harness/make-share.js'
import { viewShown } from './harness/viewer.js'

// Regenerates the pictures of docs/images: `npm run screenshots`.

const folder = resolve('docs/images')
const size = { width: 1_280, height: 800 }

const regions = ['Nordics', 'DACH', 'Benelux', 'Iberia', 'UK & Ireland', 'Baltics']
const products = ['Starter', 'Team', 'Business', 'Enterprise']

function revenue(): string {
  const rows = Array.from({ length: 96 }, (_, row) => {
    const orders = 40 + ((row * 37) % 260)
    return [
      `2026-${String(1 + (row % 9)).padStart(2, '0')}`,
      regions[row % regions.length],
      products[(row * 7) % products.length],
      orders,
      (orders * (19 + ((row * 13) % 80))).toFixed(2),
    ].join(',')
  })
  return ['month,region,product,orders,revenue', ...rows].join('\n')
}

/** The same with a few rows corrected, and one gone. */
function correctedRevenue(): string {
  const rows = revenue().split('\n')
  const corrected = rows.map((row, at) => (at % 17 === 5 ? row.replace(/\.\d+$/, '.50') : row))
  return corrected.toSpliced(40, 1).join('\n')
}

const release = {
  release: { version: '4.2.0', published: true, build: 12_345_678_901, checksum: 'sha256-9f2c…' },
  services: [
    { name: 'checkout', replicas: 6, limits: { cpu: '500m', memory: '512Mi' }, healthy: true },
    { name: 'search', replicas: 3, limits: { cpu: '1', memory: '2Gi' }, healthy: true },
    { name: 'mail', replicas: 2, limits: { cpu: '250m', memory: '256Mi' }, healthy: false },
  ],
  notes: null,
}

const statement = `SELECT customer.name, sum(invoice.total) AS total
FROM customer
JOIN invoice ON invoice.customer_id = customer.id
WHERE invoice.issued_at >= '2026-01-01'
GROUP BY customer.name
ORDER BY total DESC`

const snippets = [
  { tool: 'json-to-csv', title: 'Revenue by region, Q3', tags: ['finance', 'q3'], data: { csv: revenue() } },
  { tool: 'json-formatter', title: 'Release manifest 4.2.0', tags: ['deploy'], data: release },
  { tool: 'sql-formatter', title: 'Best customers of the year', tags: ['finance'], data: { sql: statement } },
  {
    tool: 'yaml-to-json',
    title: 'Ingress of staging',
    tags: ['deploy', 'staging'],
    data: { host: 'staging' },
  },
]

interface Shares {
  readonly table: string
  readonly tree: string
  readonly text: string
  readonly expired: string
  readonly compared: string
}

async function fill(dashboard: DashboardSystem, user: ApiClient): Promise<Shares> {
  await makePro(dashboard, user)
  for (const snippet of snippets.toReversed()) await user.post('/api/snippets', snippet)
  for (const action of ['format', 'convert', 'validate'])
    await user.post('/api/history', { tool: 'json-to-csv', action, title: 'Revenue by region, Q3' })
  await user.post('/api/keys', { name: 'Nightly export', scopes: ['read', 'write'] })
  await user.post('/api/keys', { name: 'Dashboard of the warehouse', scopes: ['read'] })
  const corrected = {
    ...snippets[0],
    title: 'Revenue by region, Q3, final',
    data: { csv: correctedRevenue() },
  }
  const [table, tree, text, expired, final] = await Promise.all(
    [...snippets.slice(0, 3), { ...snippets[0], title: 'Revenue by region, Q2' }, corrected].map(
      async (fields) =>
        await makeShare(
          user,
          fields === undefined ? {} : { ...fields, tags: undefined, expires_in: 2_592_000 },
        ),
    ),
  )
  if (!table || !tree || !text || !expired || !final) throw new Error('a share is missing')
  await dashboard.system.expireShares([expired.id], -3_600_000)
  return {
    table: table.share_url,
    tree: tree.share_url,
    text: text.share_url,
    expired: expired.share_url,
    compared: `${table.share_url}/compare/${final.id}`,
  }
}

async function shoot(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' })
  process.stdout.write(`docs/images/${name}.png\n`)
}

async function shootShares(page: Page, shares: Shares, scheme: string): Promise<void> {
  await page.goto(shares.table)
  await viewShown(page)
  await shoot(page, `share-table-${scheme}`)
  await page.goto(`${shares.tree}#/services/0/limits/memory`)
  await viewShown(page)
  await page.waitForTimeout(500)
  await shoot(page, `share-tree-${scheme}`)
  await page.goto(shares.compared)
  await viewShown(page)
  await shoot(page, `share-compare-${scheme}`)
  await page.goto(shares.expired)
  await shoot(page, `share-expired-${scheme}`)
}

async function shootTool(page: Page, origin: string, scheme: string): Promise<void> {
  const rows = revenue().split('\n').slice(1, 40)
  const orders = rows.map((row, id) => {
    const [month, region, product, count, total] = row.split(',')
    return `  {"id": ${9_007_199_254_740_993n + BigInt(id)}, "month": "${month}", "region": "${region}", "product": "${product}", "orders": ${count}, "revenue": ${total}}`
  })
  await page.goto(`${origin}/tools/json-to-csv`)
  await page.getByRole('textbox', { name: 'Input', exact: true }).fill(`[\n${orders.join(',\n')}\n]`)
  await viewShown(page)
  await page.locator('.tool-status').getByText(' ms').waitFor()
  await shoot(page, `tool-${scheme}`)
}

const sections = ['snippets', 'keys', 'plan'] as const

async function shootDashboard(page: Page, scheme: string): Promise<void> {
  for (const section of sections) {
    await page.locator(`nav a[href="/dashboard/${section}"]`).first().click()
    await page.waitForLoadState('networkidle')
    await page.waitForTimeout(500)
    await shoot(page, `dashboard-${section}-${scheme}`)
  }
}

async function takeAll(dashboard: DashboardSystem, browser: TestBrowser): Promise<void> {
  let shares: Shares | null = null
  for (const colorScheme of ['light', 'dark'] as const) {
    const profile = await browser.profile({ ...dashboard.profile, colorScheme, viewport: size })
    const page = await profile.newPage()
    const user = await dashboard.signIn(page, 'ada', '/dashboard/profile')
    shares ??= await fill(dashboard, user)
    await page.reload()
    await shootDashboard(page, colorScheme)
    await shootShares(await profile.newPage(), shares, colorScheme)
    await shootTool(await profile.newPage(), dashboard.system.baseUrl(), colorScheme)
    await profile.close()
  }
}

const dataDir = await mkdtemp(join(tmpdir(), 'snipkeep-screenshots-'))
const postgres = await startEmbeddedPostgres({ dataDir, log: () => {} })
await mkdir(folder, { recursive: true })
try {
  const dashboard = await startDashboard(postgres.url)
  const browser = await startBrowser()
  try {
    await takeAll(dashboard, browser)
  } finally {
    await browser.close()
    await dashboard.stop()
  }
} finally {
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
}
