import { expect, it } from 'vitest'
import { hostileTexts } from '../testing/hostile-texts.js'
import { parsePage } from '../testing/parse-page.js'
import { preview, previewId } from '../testing/previews.js'
import { testSite, testSiteApart } from '../testing/test-site.js'
import { type ReportOutcome, reportPage } from './report-page.js'

const blank: ReportOutcome = { sent: false, problem: null }
const rendered = (title = 'Title', outcome = blank, site = testSite): string =>
  reportPage(preview('{"n":1}', { title }), site, outcome).toString()

it('sends the form to the API, on whichever host that is', () => {
  for (const site of [testSite, testSiteApart])
    expect(parsePage(rendered('Title', blank, site)).attributeOf('<form', 'action')).toBe(
      'https://snip.example/api/reports',
    )
})

it('names the share, and runs no script', () => {
  const page = rendered()
  expect(page).toContain(`<input type="hidden" name="share" value="${previewId}">`)
  expect(page).not.toContain('<script')
})

it('has a label for every field', () => {
  const page = rendered()
  for (const [, id] of page.matchAll(/<(?:textarea|input) id="(\w+)"/g))
    expect(page).toContain(`<label for="${id}">`)
  expect(page.match(/<label class="choice"><input type="radio"/g)).toHaveLength(7)
})

it('the title of a share is text, whatever it contains', () => {
  const tags = parsePage(rendered()).tags
  for (const title of hostileTexts) {
    expect(parsePage(rendered(title)).tags, title).toEqual(tags)
    const sent = { sent: true, problem: null }
    expect(parsePage(rendered(title, sent)).tags, title).toEqual(parsePage(rendered('Title', sent)).tags)
  }
})

it('says what was wrong with a form, and never what the address claims', () => {
  expect(rendered('Title', { sent: false, problem: 'limited' })).toContain('role="alert"')
  const unknown = rendered('Title', { sent: false, problem: '<b>constructor</b>' })
  expect(unknown).toBe(rendered())
})
