import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { describe, expect, it, vi } from 'vitest'
import { DomainError, unavailable, validationFailed } from '#libs/core/domain-error.js'
import { RequestAborted } from '../../request/request-context.js'
import { createImportResults } from './import-results.js'

/** Only what is used of a response. */
function fakeResponse() {
  const sent: string[] = []
  const response = Object.assign(new EventEmitter(), {
    headersSent: false,
    destroyed: false,
    status: 0,
    ended: false,
    writableLength: 0,
    socket: {},
    destroy() {
      response.destroyed = true
      response.emit('close')
    },
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

  it('have at most 4 MiB of errors', () => {
    const { text, results } = fakeResponse()
    const errors = Array.from({ length: 100 }, () => ({
      ...{ pointer: '/tags/1', code: 'invalid', detail: 'x'.repeat(400) },
    }))
    for (let n = 0; n < 200; n += 1) results.refuse('a', validationFailed(errors))
    results.finish(false)
    const lines = text().trim().split('\n')
    expect(JSON.parse(lines[0] ?? '').problem.errors).toHaveLength(100)
    expect(JSON.parse(lines[199] ?? '').problem).toEqual({
      code: 'validation_failed',
      detail: 'The request has 100 errors; see the errors list.',
    })
    expect(text().length).toBeLessThan(4_500_000)
  })

  it('of which there are many begin early, and then wait for their reader', async () => {
    const { response, text, results } = fakeResponse()
    const some = { id: 'x'.repeat(1_000_000) }
    for (let n = 0; n < 4; n += 1) results.add('a', 'created', some)
    await results.room()
    expect(response.headersSent).toBe(false)
    results.add('a', 'created', some)
    await results.room()
    expect([response.status, text().length > 5_000_000]).toEqual([200, true])
    response.writableLength = 5_000_000
    let waits = true
    const room = results.room().then(() => {
      waits = false
    })
    await new Promise(setImmediate)
    expect(waits).toBe(true)
    response.emit('drain')
    await room
    expect([response.listenerCount('drain'), response.listenerCount('close')]).toEqual([0, 0])
  })

  it('end with a reader that does not read', async () => {
    vi.useFakeTimers()
    try {
      const { response, results } = fakeResponse()
      results.begin()
      response.writableLength = 5_000_000
      const ended = expect(results.room()).rejects.toThrow(RequestAborted)
      await vi.advanceTimersByTimeAsync(70_000)
      await ended
      expect(response.destroyed).toBe(true)
    } finally {
      vi.useRealTimers()
    }
  })
})
