import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { type BannerFacts, banner, curlLines } from './banner.js'

const facts: BannerFacts = {
  publicUrl: 'https://snip.example',
  localUrl: 'http://localhost:8080',
  issuerUrl: 'http://localhost:8081',
  sandboxUrl: 'http://localhost:8082',
  tokenEnv: '',
  dataDir: '/srv/data',
  secondsToStart: 1.25,
}

test('every command is on its own line, ready to copy', () => {
  const printed = banner(facts).split('\n')
  for (const line of curlLines(facts)) expect(printed).toContain(line)
})

test('shows the API’s address and the data folder', () => {
  expect(banner(facts)).toContain('Snipkeep is running at https://snip.example')
  expect(banner(facts)).toContain('/srv/data')
})

test('with external issuers there is no token command', () => {
  const printed = banner({ ...facts, issuerUrl: null })
  expect(printed).not.toContain('npm run --silent token')
  expect(printed).toContain("TOKEN='an ID token of your issuer'")
})

test('without sandbox payments, there is no link to the sandbox', () => {
  expect(banner(facts)).toContain('Payments  http://localhost:8082')
  const printed = banner({ ...facts, sandboxUrl: null })
  expect(printed).not.toContain('Payments')
  expect(printed).not.toContain('/api/subscription')
})

test('pasted line by line into a shell, the commands pass token and ids on', async () => {
  const stubs = `
    npm() { if [ "$3" = cli ]; then echo "$SNIPKEEP_KEY at $SNIPKEEP_SERVER: \${*:5}"; else echo TOKEN-of-$5; fi; }
    curl() { echo "curl $*" >&2; echo '{"id":"ID-1","tool":"x","key":"snk_1","checkout_url":"http://pay/1","request_id":"other"}'; }`
  const { stdout, stderr } = await promisify(execFile)('bash', [
    '-euc',
    [stubs, ...curlLines(facts)].join('\n'),
  ])
  expect(stderr).toContain('Authorization: Bearer TOKEN-of-free')
  expect(stderr).toContain('http://localhost:8080/api/snippets/ID-1/raw?pointer=/csv')
  expect(stderr).toMatch(/\/api\/shares\/ID-1\n/)
  expect(stdout).toContain('\nhttps://snip.example/s/ID-1\n')
  expect(stdout).toContain('Open http://pay/1 and press Pay')
  expect(stderr).toContain('Authorization: Bearer TOKEN-of-pro')
  expect(stdout).toMatch(/\nsnk_1 at http:\/\/localhost:8080: share README\.md\n$/)
  expect(stderr).toMatch(/\/api\/snippets\/ID-1\/raw\?pointer=\/csv -H X-API-Key: snk_1\n$/)
  const bodies = stderr.match(/\{"tool".*\}\}/g) ?? []
  expect(bodies).toHaveLength(3)
  for (const body of bodies)
    expect(JSON.parse(body).data.csv).toBe('name,role\nAda,engineer\nGrace,admiral\n')
})
