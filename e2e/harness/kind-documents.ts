import { dataKindDocuments } from './data-kind-documents.js'
import { formatted, type KindDocument, withTree } from './kind-document.js'

const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** An unsigned token. */
export function tokenOf(claims: object): string {
  return `${base64url({ alg: 'HS256', typ: 'JWT' })}.${base64url(claims)}.c2lnbmF0dXJl`
}

/** A red pixel. */
export const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const gif = 'R0lGODlhAQABAIAAAP8AAP///yH5BAAAAAAALAAAAAABAAEAAAICRAEAOw=='
const webp = 'UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAgA0JaQAA3AA/vuUAAA='

const markdown = ['Rendered', 'Text']

/** At least three documents of each kind. */
export const kindDocuments: readonly KindDocument[] = [
  ...dataKindDocuments,
  {
    kind: 'XML',
    data: { xml: '<?xml version="1.0"?><o id="1"><p>9.90</p></o>' },
    view: 'Text',
    shows: ['<o id="1">', '<p>9.90</p>'],
    views: formatted,
  },
  {
    kind: 'XML',
    data: { result: '<order><b/><c>&lt;x></c></order>' },
    view: 'Text',
    shows: ['<c>&lt;x></c>'],
    views: formatted,
  },
  {
    kind: 'XML',
    data: { svg: '<svg xmlns="http://www.w3.org/2000/svg"><script>__hit=1</script></svg>' },
    view: 'Text',
    shows: ['<script>__hit=1</script>'],
    views: formatted,
  },
  {
    kind: 'HTML',
    data: { html: '<!doctype html><body><img src=//evil.example/x onerror=__hit=1><p>Text' },
    view: 'Text',
    shows: ['onerror=__hit=1'],
    views: formatted,
  },
  {
    kind: 'HTML',
    data: { output: '<div><p>One</p><p>Two</p></div>' },
    view: 'Text',
    shows: ['<p>Two</p>'],
    views: formatted,
  },
  {
    kind: 'HTML',
    data: { page: '<ul><li>a</li></ul><script>__hit=1</script>' },
    view: 'Text',
    shows: ['<li>a</li>'],
    views: formatted,
  },
  {
    kind: 'YAML',
    data: { yaml: 'a: 0x1F\nb: [1.0]\n' },
    view: 'Text',
    shows: ['a: 0x1F', 'b: [1.0]'],
    views: withTree,
  },
  {
    kind: 'YAML',
    data: { output: 'version: "3"\nservices:\n  web:\n    ports:\n      - "80:80"\n' },
    view: 'Text',
    shows: ['- "80:80"'],
    views: withTree,
  },
  {
    kind: 'YAML',
    data: { 'values.yml': '---\na: &x 1\n---\nb: 2\n' },
    view: 'Text',
    shows: ['a: &x 1'],
    views: withTree,
  },
  {
    kind: 'TOML',
    data: { toml: 'a = 1_000\n[b]\nc = 1.50\n' },
    view: 'Text',
    shows: ['a = 1_000', 'c = 1.50'],
    views: withTree,
  },
  {
    kind: 'TOML',
    data: { output: '[package]\nname = "x"\nversion = "0.1.0"\n' },
    view: 'Text',
    shows: ['[package]'],
    views: withTree,
  },
  {
    kind: 'TOML',
    data: { config: '# c\n[[item]]\nat = 1979-05-27T07:32:00Z\n' },
    view: 'Text',
    shows: ['1979-05-27T07:32:00Z'],
    views: withTree,
  },
  {
    kind: 'Markdown',
    data: { markdown: '# Title\n\n| a | b |\n|---|---|\n| 1 | 2.0 |\n' },
    view: 'Rendered',
    shows: ['Title', '2.0'],
    views: markdown,
  },
  {
    kind: 'Markdown',
    data: { 'README.md': '## Use\n\n```sh\nnpm i\n```\n\n- [x] done\n' },
    view: 'Rendered',
    shows: ['Use', 'npm i', '☑'],
    views: markdown,
  },
  {
    kind: 'Markdown',
    data: { notes: 'Some **bold** words, and [a link](https://example.com/x).\n' },
    view: 'Rendered',
    shows: ['bold', 'a link'],
    views: markdown,
  },
  {
    kind: 'SQL',
    data: { sql: 'select a,b from t where c=1.50' },
    view: 'Text',
    shows: ['select', 'c = 1.50'],
    views: ['Text', 'As sent'],
  },
  {
    kind: 'SQL',
    data: { output: 'INSERT INTO t VALUES (007)' },
    tool: 'sql-formatter',
    view: 'Text',
    shows: ['INSERT INTO', '(007)'],
    views: ['Text', 'As sent'],
  },
  {
    kind: 'SQL',
    data: { query: 'WITH x AS (SELECT 1) SELECT * FROM x' },
    view: 'Text',
    shows: ['WITH'],
    views: ['Text', 'As sent'],
  },
  {
    kind: 'Patch',
    data: { patch: '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-one word\n+one sentence\n' },
    view: 'Differences',
    shows: ['@@ -1 +1 @@', 'one word', 'one sentence'],
    views: ['Differences', 'Text'],
  },
  {
    kind: 'Patch',
    data: { output: 'diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -3,2 +3,2 @@\n same\n-1.0\n+1.00\n' },
    view: 'Differences',
    shows: ['same', '1.00'],
    views: ['Differences', 'Text'],
  },
  {
    kind: 'Patch',
    data: { diff: '--- /dev/null\n+++ b/<script>\n@@ -0,0 +1 @@\n+<script>__hit=1</script>\n' },
    view: 'Differences',
    shows: ['<script>__hit=1</script>'],
    views: ['Differences', 'Text'],
  },
  {
    kind: 'JWT',
    data: { jwt: tokenOf({ sub: 'x', exp: 1_700_000_000 }) },
    view: 'Text',
    shows: ['"alg": "HS256"', '"exp": "2023-11-14 22:13:20 UTC"'],
    views: formatted,
  },
  {
    kind: 'JWT',
    data: { input: tokenOf({ a: 1 }) },
    view: 'Text',
    shows: ['"typ": "JWT"'],
    views: formatted,
  },
  {
    kind: 'JWT',
    data: { token: `Bearer ${tokenOf({ name: '<b>' })}` },
    view: 'Text',
    shows: ['"name": "<b>"'],
    views: formatted,
  },
  {
    kind: 'Picture',
    data: { image: `data:image/png;base64,${png}` },
    view: 'Picture',
    shows: ['image/png, 1 × 1 pixels'],
    views: ['Picture'],
  },
  {
    kind: 'Picture',
    data: { output: gif },
    view: 'Picture',
    shows: ['image/gif, 1 × 1 pixels'],
    views: ['Picture'],
  },
  {
    kind: 'Picture',
    data: { webp },
    view: 'Picture',
    shows: ['image/webp, 1 × 1 pixels'],
    views: ['Picture'],
  },
  {
    kind: 'Text',
    data: { output: 'One line, with commas, as people write.' },
    view: 'Text',
    shows: ['as people write.'],
    views: ['Text'],
  },
  {
    kind: 'Text',
    data: { note: 'Note: this is prose.\nWarning: so is this.' },
    view: 'Text',
    shows: ['Warning: so is this.'],
    views: ['Text'],
  },
  {
    kind: 'Text',
    data: { json: '{"not": json' },
    view: 'Text',
    shows: ['{"not": json'],
    views: ['Text'],
  },
]
