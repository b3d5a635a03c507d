import { readFile } from 'node:fs/promises'
import { tokenOf } from './kind-documents.js'

/** A realistic document, and what its page must show. */
export interface KindSample {
  read(): Promise<string>
  /** One of its views. */
  readonly view: string
  readonly shows: readonly string[]
}

const file = (path: string, view: string, ...shows: readonly string[]): KindSample => ({
  read: () => readFile(path, 'utf8'),
  view,
  shows,
})
const made = (text: string, view: string, ...shows: readonly string[]): KindSample => ({
  read: async () => text,
  view,
  shows,
})

/** A line of JSON for each installed package of this repository. */
async function packageLines(from: number, to: number): Promise<string> {
  const lock: { readonly packages: object } = JSON.parse(await readFile('package-lock.json', 'utf8'))
  const lines = Object.entries(lock.packages).slice(from, to)
  return lines.map(([path, about]) => `${JSON.stringify({ path, ...about })}\n`).join('')
}

const gitPatch = `From 5f3c1f8 Mon Sep 17 00:00:00 2001
From: Ada <ada@example.com>
Subject: [PATCH] Round prices once

---
 src/price.js | 5 +++--
 src/tax.js   | 1 +
 2 files changed, 4 insertions(+), 2 deletions(-)

diff --git a/src/price.js b/src/price.js
index 3b18e51..a9f4c02 100644
--- a/src/price.js
+++ b/src/price.js
@@ -1,6 +1,7 @@ export function price(items)
 export function price(items) {
-  const sum = items.reduce((all, item) => all + round(item.price), 0)
-  return sum
+  const sum = items.reduce((all, item) => all + item.price, 0)
+  return round(sum)
 }
 
 // The end.
diff --git a/src/tax.js b/src/tax.js
new file mode 100644
--- /dev/null
+++ b/src/tax.js
@@ -0,0 +1 @@
+export const tax = 0.19
\\ No newline at end of file
-- 
2.39.2
`

const report = `-- Revenue of each customer in the last quarter
with paid as (
  select o.customer_id, sum(o.total) as total
  from orders o
  left join refunds r on r.order_id = o.id
  where o.paid_at >= date '2026-07-01' and r.id is null
  group by o.customer_id
)
select c.name, p.total, round(p.total / 1.19, 2) net
from paid p join customers c on c.id = p.customer_id
where c.name not like '%''test''%'
order by p.total desc limit 10;
`

const schema = `CREATE TABLE orders (
  id bigint PRIMARY KEY,
  total numeric(12, 2) NOT NULL DEFAULT 0.00,
  paid_at timestamptz
);
CREATE INDEX orders_paid_at ON orders (paid_at) WHERE paid_at IS NOT NULL;
INSERT INTO orders (id, total) VALUES (9007199254740993, 10.50), (2, 007.10);
`

const pyproject = `[build-system]
requires = ["setuptools>=61"]

[project]
name = "example" # the name on the index
version = "2020.0.0"
dependencies = [
  "httpx",
  "gidgethub[httpx]>4.0.0",
]

[tool.black]
line-length = 88
`

const feed = `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <title>Example Feed</title>
  <link href="https://example.org/"/>
  <entry><title>Numbers &amp; letters</title><id>urn:uuid:1225c695-cfb8</id><summary><![CDATA[a < b]]></summary></entry>
</feed>
`

const page = `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>A page</title><style>p { color: red }</style></head>
<body><h1>Title</h1><p>One<br>two &amp; three<ul><li>a<li>b</ul>
<form action="/search"><input name="q" required></form>
<script>if (1 < 2) document.title = "<b>"</script>
</body>
</html>
`

const grants = `Grant,Institution,Amount\r\n${Array.from(
  { length: 300 },
  (_row, row) => `G-${row},"Universität, Köln",${row}0.50\r\n`,
).join('')}G-300,"He said ""yes""",1\r\n`

/** Files of this repository and other realistic documents; only their content reveals their kind. */
export const kindSamples: Readonly<Record<string, readonly KindSample[]>> = {
  JSON: [
    file('package.json', 'Tree', '"name": "snipkeep"'),
    file('biome.json', 'Tree', '{'),
    file('bench/results/latest.json', 'Tree', '{'),
  ],
  NDJSON: [
    { read: () => packageLines(1, 400), view: 'Table', shows: ['path', 'version', 'node_modules/'] },
    { read: () => packageLines(400, 420), view: 'Table', shows: ['integrity'] },
    made(
      '{"level":30,"time":1,"msg":"up"}\n{"level":50,"time":2.50,"err":{"type":"Error"}}\n',
      'Table',
      '2.50',
    ),
  ],
  CSV: [
    made(grants, 'Table', 'Grant', 'Universität, Köln'),
    made('\ufeffA,B,C\n1,2,3\n4,5,6\n', 'Table', 'A', '6'),
    made(
      'Name;Betrag;Datum\r\n"Müller; Söhne";1.234,50;01.02.2026\r\nMeier;007;\r\n',
      'Table',
      '1.234,50',
      '007',
    ),
  ],
  XML: [
    file('docs/images/performance-light.svg', 'Tree', '<svg'),
    made(feed, 'Tree', '<title>Example Feed</title>', '<![CDATA[a < b]]>'),
    file('node_modules/s3rver/example/cors.xml', 'Tree', '<CORSConfiguration'),
  ],
  HTML: [
    made(page, 'Tree', '<h1>Title</h1>', 'if (1 < 2)'),
    file('node_modules/tslib/tslib.html', 'Text', '<script src="tslib.js">'),
    made('<table><tr><td>1.0<td>2.00</table>\n', 'Tree', '1.0'),
  ],
  YAML: [
    file('docker-compose.yml', 'Tree', '# The whole system'),
    file('.github/workflows/ci.yml', 'Tree', 'on:'),
    file('deploy/kubernetes/base/gateway.yaml', 'Tree', 'kind:'),
  ],
  TOML: [
    file('deploy/compose/accounts/config.toml', 'Tree', '='),
    made(pyproject, 'Tree', '[build-system]', 'line-length = 88'),
    made('# Times\n[[run]]\nat = 1979-05-27T07:32:00-08:00\ncost = 1_000.50\n', 'Tree', '1_000.50'),
  ],
  Markdown: [
    file('README.md', 'Rendered', 'Quick start', 'Byte for byte.'),
    file('CHANGELOG.md', 'Rendered', 'Changelog'),
    file('docs/limits.md', 'Rendered', '429'),
  ],
  SQL: [
    made(report, 'As sent', 'with', "'%''test''%'", 'p.total / 1.19'),
    made(schema, 'As sent', '9007199254740993, 10.50', '007.10'),
    file('deploy/kubernetes/overlays/demo/roles.sql', 'Text', 'role'),
  ],
  Patch: [
    made(gitPatch, 'Differences', 'return round(sum)', 'export const tax = 0.19'),
    made(gitPatch.replaceAll('\n', '\r\n'), 'Differences', 'return round(sum)'),
    made(
      '--- old.txt\t2026-01-01\n+++ new.txt\t2026-01-02\n@@ -1,2 +1,2 @@\n same\n-1.0\n+1.00\n',
      'Differences',
      '1.00',
    ),
  ],
  JWT: [
    made(
      tokenOf({
        sub: '1234567890',
        name: 'John Doe',
        email: 'john.doe@example.com',
        iss: 'https://issuer.example.com',
        iat: 1_516_239_022,
      }),
      'Tree',
      '2018-01-18 01:30:22 UTC',
    ),
    // The example of RFC 7519.
    made(
      'eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
      'Tree',
      '"iss": "joe"',
      '2011-03-22 18:43:00 UTC',
    ),
    made(
      tokenOf({
        aud: ['https://api.example.com', 'https://files.example.com'],
        scope: 'read',
        n: 1.5,
        jti: '01HF2V8Y5Q',
        sub: 'f4b0c1d2-9a57-4e0e-8a3c-2f1f3f0e9d11',
      }),
      'Tree',
      '"scope": "read"',
    ),
  ],
  Text: [
    file('LICENSE', 'Text', 'Apache License'),
    file('.env.example', 'Text', '='),
    file('gateway/main.ts', 'Text', 'import'),
  ],
}
