import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { html } from '#libs/html/html.js'
import { icon } from '#shared/page-head.js'
import { startBrowser } from './harness/browser.js'

// Regenerates the icons and the pictures of link previews in services/web/images: `npm run pictures`.

const folder = resolve('services/web/images')

const previews = {
  site: [
    'Paste data. Get a link that shows it well.',
    'Share, save and compare JSON, CSV and text. Every digit stays as it was sent.',
  ],
  tools: [
    'Tools for JSON, CSV, YAML, XML and SQL',
    'Format, validate and convert in your browser. Nothing is uploaded.',
  ],
  compare: [
    'Compare two JSON or CSV files',
    'Every changed value, row or line, in your browser. Nothing is uploaded.',
  ],
} as const

const iconAddress = `data:image/svg+xml,${encodeURIComponent(icon)}`

/** Launchers cut any shape from it, so the sheet stands on a ground and within the safe zone. */
const maskable = icon.replace('viewBox="0 0 16 16"', 'viewBox="-5 -5 26 26"')

async function draw(page: Page, name: string, [width, height]: readonly [number, number], markup: string) {
  await page.setViewportSize({ width, height })
  await page.setContent(`<!doctype html><style>*{margin:0;box-sizing:border-box}</style>${markup}`)
  await page.screenshot({ path: join(folder, `${name}.png`), omitBackground: true })
  process.stdout.write(`services/web/images/${name}.png\n`)
}

async function drawAll(page: Page): Promise<void> {
  for (const size of [192, 512] as const)
    await draw(
      page,
      `icon-${size}`,
      [size, size],
      html`<img src="${iconAddress}" width="${size}" alt="">`.markup,
    )
  const ground = `data:image/svg+xml,${encodeURIComponent(maskable)}`
  await draw(
    page,
    'icon-maskable',
    [512, 512],
    html`<style>body{background:#e7f1f1}</style><img src="${ground}" width="512" alt="">`.markup,
  )
  for (const [name, [title, text]] of Object.entries(previews))
    await draw(
      page,
      `preview-${name}`,
      [1_200, 630],
      html`<style>body{height:630px;padding:88px 96px;background:#fff;border-bottom:24px solid #0f766e;color:#1c1917;font:40px/1.4 system-ui,sans-serif}
div{display:flex;align-items:center;gap:24px;margin-bottom:72px;color:#57534e;font-weight:650}
h1{margin-bottom:32px;font-size:76px;line-height:1.15;letter-spacing:-.02em}p{max-width:940px;color:#57534e}</style>
<div><img src="${iconAddress}" width="72" alt=""> snipkeep</div><h1>${title}</h1><p>${text}</p>`.markup,
    )
}

await mkdir(folder, { recursive: true })
const browser = await startBrowser()
try {
  const profile = await browser.profile()
  await drawAll(await profile.newPage())
  await profile.close()
} finally {
  await browser.close()
}
