import { EventEmitter } from 'node:events'
import type { Request, Response } from 'express'
import { expect, it } from 'vitest'
import { createLogger } from '#libs/log/logger.js'
import { createAccessLog } from './access-log.js'

/** The levels of the lines that a request of this route leaves which is answered so. */
function levelsOf(route: string, statusCode: number): readonly string[] {
  const lines: string[] = []
  const log = createLogger('test', 'debug', { write: (line) => lines.push(line) })
  const response = Object.assign(new EventEmitter(), {
    locals: { route },
    statusCode,
    writableFinished: true,
    getHeader: () => 'an-id',
  })
  const request = { method: 'GET', headers: {} }
  createAccessLog(log)(request as unknown as Request, response as unknown as Response, () => {})
  response.emit('close')
  return lines.map((line) => JSON.parse(line).level)
}

it('a probe that finds all well leaves no line at info', () => {
  expect(levelsOf('/healthz', 200)).toEqual(['debug'])
  expect(levelsOf('/readyz', 200)).toEqual(['debug'])
})

it('every other request leaves one, and so does a probe that finds something wrong', () => {
  expect(levelsOf('/readyz', 503)).toEqual(['info'])
  expect(levelsOf('/api/snippets', 200)).toEqual(['info'])
  expect(levelsOf('none', 404)).toEqual(['info'])
})
