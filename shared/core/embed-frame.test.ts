import { expect, it } from 'vitest'
import { embedFrame } from './embed-frame.js'

const url = 'https://share.example/s/abc'

it('a share is embedded with its title, as large as usual or as wanted', () => {
  expect(embedFrame(url, 'Prices')).toContain(`src="${url}/embed" title="Prices" width="800" height="480"`)
  expect(embedFrame(url, 'Prices', { width: 300, height: 200 })).toContain('width="300" height="200"')
})

it('no title becomes markup or another attribute', () => {
  const hostile = '"><script>alert(1)</script><b title="\u0000\ud800&quot; onload=\'x\''
  const frame = embedFrame(url, hostile)
  expect(/ title="([^"]*)" width=/.exec(frame)?.[1]).toBe(
    "&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;b title=&quot;\ufffd\ufffd&amp;quot; onload='x'",
  )
  expect(frame.match(/[<>]/g)).toEqual(['<', '>', '<', '>'])
})
