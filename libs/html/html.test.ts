import { expect, it } from 'vitest'
import { escapeHtml, html } from './html.js'

it('all HTML special characters are escaped, in elements and in quoted attributes', () => {
  const hostile = `<script>"'&</script><!--]]>\u2028\u2029\u0000`
  const escaped = escapeHtml(hostile)
  for (const character of '<>"\'\u0000\u2028\u2029') expect(escaped).not.toContain(character)
  expect(escaped.replaceAll(/&(amp|lt|gt|quot|#39|#8232|#8233);/g, '')).not.toContain('&')
})

it('a template escapes its values, and nests markup from other templates', () => {
  const inner = html`<b>${'<i>'}</b>`
  expect(html`<p title="${'"><x>'}">${inner}${[inner, inner]}${1}</p>`.markup).toBe(
    '<p title="&quot;&gt;&lt;x&gt;"><b>&lt;i&gt;</b><b>&lt;i&gt;</b><b>&lt;i&gt;</b>1</p>',
  )
})

it('a lone surrogate becomes a replacement character, since UTF-8 cannot represent it', () => {
  expect(escapeHtml('a\ud800b')).toBe('a\ufffdb')
})
