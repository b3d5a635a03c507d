import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { logEvents } from './log-events.js'

/** The calls that log a line, each with its arguments up to the message. */
async function logCalls(): Promise<readonly (readonly [place: string, level: string, fields: string])[]> {
  const calls: (readonly [string, string, string])[] = []
  const folders = ['gateway', 'services', 'libs', 'engine', 'shared', 'deploy', 'dev']
  const listed = folders.map(async (folder) =>
    (await readdir(folder, { recursive: true })).map((name) => `${folder}/${name}`),
  )
  for (const path of (await Promise.all(listed)).flat()) {
    if (!path.endsWith('.ts') || path.endsWith('.test.ts') || path.includes('/browser/')) continue
    const text = await readFile(path, 'utf8')
    for (const { 1: level = '', 2: fields = '' } of text.matchAll(
      /\blog(?:\.(\w+)|\[level\])\(\s*((?:\{[\s\S]*?\})?[^)]*)/g,
    ))
      if (['', 'debug', 'info', 'warn', 'error', 'fatal'].includes(level)) calls.push([path, level, fields])
  }
  return calls
}

test('every log line has a listed event with its level, and every listed event is logged', async () => {
  const calls = await logCalls()
  const seen = new Set<string>()
  for (const [place, level, fields] of calls) {
    const [, event = ''] = /^\{\s*event: '(\w+)'/.exec(fields) ?? []
    // Events passed on to a logging function are found below.
    if (fields.startsWith('{ ...fields, err: error }')) continue
    expect(Object.keys(logEvents), `${place}: ${fields.slice(0, 80)}`).toContain(event)
    if (level !== '') expect([event, level]).toEqual([event, logEvents[event]?.[0]])
    seen.add(event)
  }
  const jobs = await readFile('services/billing/adapters/start-billing-jobs.ts', 'utf8')
  for (const [, event = ''] of jobs.matchAll(/expectUnavailable\(\s*log,\s*\{ event: '(\w+)'/g))
    seen.add(event)
  // Its lines are written as text.
  const requests = await readFile('gateway/http/request-log.ts', 'utf8')
  for (const [, event = ''] of requests.matchAll(/"event":"(\w+)"/g)) seen.add(event)
  expect([...seen].sort()).toEqual(Object.keys(logEvents).sort())
})
