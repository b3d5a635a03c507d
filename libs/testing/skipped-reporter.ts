import type { Reporter, TestCase, TestModule, TestSuite } from 'vitest/node'

/** How to get what a reason names; the first that fits. */
const remedies: readonly (readonly [RegExp, string])[] = [
  [
    /^needs Node 22/,
    'npx --yes --ignore-scripts=false node@22 node_modules/vitest/vitest.mjs run --project nightly e2e/mcp-conformance.e2e.test.ts',
  ],
  [/registry/, 'a network, and a registry that knows when versions appeared'],
  [/redis-sentinel/, 'apt-get install redis-server redis-sentinel haproxy'],
  [/redis/i, 'apt-get install redis-server, or brew install redis'],
  [/chromium/i, 'apt-get install chromium-headless-shell, or TEST_CHROMIUM=… with your own'],
  [/patroni|etcd|postgresql/, 'apt-get install patroni etcd-server haproxy postgresql'],
  [/ceph|radosgw/, 'apt-get install ceph-mon ceph-osd radosgw'],
  [/haproxy/i, 'apt-get install haproxy, or brew install haproxy'],
  [/nginx|caddy|pgbouncer|psql/i, 'apt-get install nginx caddy pgbouncer postgresql'],
  [/openssl/, 'apt-get install openssl, or brew install openssl'],
  [/\bcurl\b/, 'apt-get install curl jq make'],
  [/prlimit/, 'apt-get install util-linux'],
  [/python3/, 'apt-get install python3'],
  [/docker compose/, 'apt-get install docker-compose'],
]

/** Why a test or group is skipped, as its name says in parentheses: what it needs, or a sentence. */
function reasonOf(name: string): string | null {
  const { need, sentence } = /\((?:needs? (?<need>.*)|skipped: (?<sentence>.*))\)/.exec(name)?.groups ?? {}
  return need === undefined ? (sentence ?? null) : `needs ${need}`
}

function reasonAround(test: TestCase): string | null {
  for (
    let entity: TestCase | TestSuite | TestModule = test;
    entity.type !== 'module';
    entity = entity.parent
  ) {
    const reason = reasonOf(entity.name)
    if (reason !== null) return reason
  }
  return null
}

/** What was skipped, by reason, with what installs it; empty if nothing was. */
export function skippedText(modules: readonly Pick<TestModule, 'children'>[]): string {
  const counts = new Map<string, number>()
  for (const { children } of modules)
    for (const test of children.allTests('skipped')) {
      const reason = reasonAround(test)
      if (reason !== null) counts.set(reason, (counts.get(reason) ?? 0) + 1)
    }
  const lines = [...counts].map(([reason, count]) => {
    const remedy = reason.startsWith('needs ')
      ? remedies.find(([pattern]) => pattern.test(reason))?.[1]
      : undefined
    return `  ${count}: ${reason}${remedy === undefined ? '' : ` (${remedy})`}`
  })
  return lines.length === 0 ? '' : `Skipped tests:\n${lines.join('\n')}\n`
}

/** Says at the end of a run what this machine lacked. */
export const skippedReporter: Reporter = {
  onTestRunEnd(modules) {
    const text = skippedText(modules)
    if (text !== '') process.stdout.write(`\n${text}`)
  },
}
