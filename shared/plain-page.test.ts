import { expect, it } from 'vitest'
import { html } from '#libs/html/html.js'
import { plainPage } from './plain-page.js'

const content = html`<p>Text.</p>`

it('a page of the product has its name in the tab and above, and leads home', () => {
  const page = plainPage('Busy', { homeUrl: 'https://snip.example/' }, content)
  expect(page).toContain('<title>Busy · Snipkeep</title>')
  expect(page).toMatch(/<a class="brand" href="https:\/\/snip\.example\/"><svg class="mark"/)
  expect(page).not.toContain('class="place"')
})

it('a page of development looks like the product, and says where one is', () => {
  const page = plainPage('Sign in', 'development', content)
  expect(page).toContain('<title>Sign in (development) · Snipkeep</title>')
  expect(page).toMatch(
    /<span class="brand"><svg class="mark".*snipkeep<\/span><span class="place">development</,
  )
})
