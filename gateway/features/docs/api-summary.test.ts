import { afterAll, describe, expect, it } from 'vitest'
import { apiSummary } from './api-summary.js'
import { openApiDocument } from './openapi-document.js'
import { documentedOperations } from './testing/documented-operations.js'

const base = 'https://snippets.example'
const { operations, close } = documentedOperations(base)
afterAll(close)
const summary = apiSummary(operations, openApiDocument(operations, base), base)

describe('the summary for language models', () => {
  it('has a line for every operation, below the heading of its group', () => {
    const [, ...groups] = summary.split('\n## ')
    for (const { method, path, group, summary: words } of operations) {
      const section = groups.find((one) => one.startsWith(`${group}\n`)) ?? ''
      const lines = section.split('\n').filter((one) => one.startsWith(`- ${method.toUpperCase()} ${path}`))
      expect(lines.join('\n'), path).toContain(`: ${words}.`)
    }
    expect(summary.match(/^- [A-Z]+ \//gm)).toHaveLength(operations.length)
  })

  it('names who may call, what is in the query, and the fields of the body', () => {
    expect(summary).toMatch(/^- POST \/api\/snippets \(token or key\): .* Body: tool\*, title\*, .*data\*/m)
    expect(summary).toMatch(/^- POST \/api\/keys \(token\): /m)
    expect(summary).toMatch(/^- GET \/api\/shares\/\{id\}\/raw: .* Query: .*pointer/m)
  })

  it('begins as llms.txt does, with absolute links, and is one page', () => {
    expect(summary).toMatch(/^# Snipkeep\n\n> .+\n\n/)
    expect(summary).toContain(`](${base}/api/openapi.json)`)
    expect(summary.length).toBeLessThan(20_000)
  })
})
