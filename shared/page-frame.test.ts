import { expect, it } from 'vitest'
import { html } from '#libs/html/html.js'
import { pageFrame } from './page-frame.js'

const site = { homeUrl: 'https://main.example/', tools: true, version: '1.2.3' }
const content = html`<h1 id="data">Title</h1>`

function linksOf(markup: string): readonly string[] {
  return [...markup.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, href = '']) => href)
}

it('a page begins with a link past its header, and its header and footer lead to the main host', () => {
  const { markup } = pageFrame(site, content)
  expect(markup).toMatch(/^<a class="skip" href="#content">/)
  expect(markup).toContain('id="content"')
  const at = (path: string) => `https://main.example/${path}`
  const parts = ['tools', 'compare', 'docs', 'dashboard'].map(at)
  expect(linksOf(markup)).toEqual(['#content', at(''), ...parts, ...parts, ...['docs', 'api/docs'].map(at)])
  expect(markup).toContain('Snipkeep 1.2.3')
})

it('on a phone, its links are a menu that needs no script', () => {
  const [, menu = ''] =
    /<details class="top-menu">([\s\S]*?)<\/details>/.exec(pageFrame(site, content).markup) ?? []
  expect(linksOf(menu)).toHaveLength(4)
})

it('only the part of the site to which it belongs is marked', () => {
  const { markup } = pageFrame(site, content, { section: 'docs' })
  expect([...markup.matchAll(/<a href="([^"]*)" aria-current="true">/g)].map(([, href]) => href)).toEqual([
    'https://main.example/docs',
    'https://main.example/docs',
  ])
  expect(pageFrame(site, content).markup).not.toContain('aria-current')
})

it('a page of others’ content has few links, and its own footer', () => {
  const { markup } = pageFrame(site, content, { quietFooter: html`<p>Not ours.</p>`, skipTo: 'data' })
  expect(linksOf(markup)).toEqual([
    '#data',
    'https://main.example/',
    'https://main.example/tools',
    'https://main.example/dashboard',
  ])
  expect(markup).toMatch(/<footer class="foot"><p>Not ours\.<\/p><\/footer>$/)
})

it('an installation without tools has no link to them', () => {
  for (const parts of [{}, { quietFooter: html`` }])
    expect(pageFrame({ ...site, tools: false }, content, parts).markup).not.toContain('/tools')
})
