import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { DomainError, unavailable } from '#libs/core/domain-error.js'
import { createImportResults } from './import-results.js'

/** Only what is used of a response. */
function fakeResponse() {
  const sent: string[] = []
  const response = Object.assign(new EventEmitter(), {
    headersSent: false,
    destroyed: false,
    status: 0,
    ended: false,
    writeHead(status: number) {
      response.status = status
      response.headersSent = true
    },
    write: (text: string) => sent.push(text),
    end(text = '') {
      sent.push(text)
      response.ended = true
    },
  })
  return {
    response,
    text: () => sent.join(''),
    results: createImportResults(response as unknown as ServerResponse, 'r'),
  }
}

const limit = new DomainError('forbidden', 'snippet_limit_reached', 'Full.')

describe('the results of an import', () => {
  it('are sent at the end, with a summary, so that an error before is still a problem', () => {
    const { response, text, results } = fakeResponse()
    results.add('a', 'created', { id: '1' })
    results.refuse('b', limit)
    expect(response.headersSent).toBe(false)
    expect(() => results.fail(limit)).toThrow('Full.')
    results.finish(false)
    const lines = text()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines).toMatchObject([
      { path: 'a', result: 'created', id: '1' },
      { path: 'b', result: 'refused', problem: { code: 'snippet_limit_reached', status: 403 } },
      { summary: { created: 1, exists: 0, skipped: 0, refused: 1 }, dry_run: false },
    ])
  })

  it('of a long import begin early, and then end with the problem if it fails', () => {
    const { response, text, results } = fakeResponse()
    results.add('a', 'created')
    results.begin()
    expect([response.status, text()]).toEqual([200, '{"path":"a","result":"created"}\n'])
    results.add('b', 'exists')
    results.fail(limit)
    const lines = text()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.at(-1)).toMatchObject({ problem: { code: 'snippet_limit_reached' } })
    expect([lines.length, response.ended]).toEqual([3, true])
  })

  it('have no line for what is not the fault of an item', () => {
    const { results } = fakeResponse()
    expect(() => results.refuse('a', unavailable('Later.'))).toThrow('Later.')
    expect(results.counts().refused).toBe(0)
  })
})
