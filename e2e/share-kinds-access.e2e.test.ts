import { expect, it } from 'vitest'
import { accessibilityProblems, overflowOf } from './harness/accessibility.js'
import { png, tokenOf } from './harness/kind-documents.js'
import { describeSharePages } from './harness/share-pages.js'
import { inEachView } from './harness/viewer.js'

describeSharePages('everyone can read each kind', (pages) => {
  it.each([320, 1600])('axe finds nothing in any view (%i px)', async (width) => {
    const datas = [
      {
        input: '# T\n\n- a\n- b\n\n[l](https://example.com) `c`\n\n> q\n',
        output: '<a><b c="d">e</b></a>',
        left: 'a\nb',
        right: 'a\nc',
      },
      { image: png, yaml: 'a: 1\nb: "x" # c\n', jwt: tokenOf({ exp: 1 }) },
      { sql: 'select 1 from t', patch: '--- a\n+++ b\n@@ -1 +1 @@\n-a\n+b\n', toml: 'a = 1\n' },
    ]
    for (const data of datas) {
      const page = await pages.open(data, { viewport: { width, height: 800 } })
      const parts = page.getByRole('tablist', { name: 'Parts of the data' }).getByRole('tab')
      for (let part = 0; part < (await parts.count()); part += 1) {
        await parts.nth(part).click()
        await page.locator('.viewer-part:not([aria-busy=true])').waitFor()
        await inEachView(page, async (view) => {
          expect(await accessibilityProblems(page), view).toEqual([])
          expect(await overflowOf(page), view).toBe(0)
        })
      }
    }
  })
})
