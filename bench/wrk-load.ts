import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { LoadOrder, LoadReport, LoadTool } from './load-order.js'

/** A Lua string literal, which has neither `\u` nor `\/`. */
function quoted(value: string): string {
  const bytes = [...Buffer.from(value)]
  const escaped = bytes.map((byte) =>
    byte < 32 || byte > 126 || byte === 34 || byte === 92
      ? `\\${String(byte).padStart(3, '0')}`
      : String.fromCharCode(byte),
  )
  return `"${escaped.join('')}"`
}

/** A Lua literal of a value. */
function inLua(value: unknown): string {
  if (Array.isArray(value)) return `{${value.map(inLua).join(',')}}`
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([name, member]) => `[${quoted(name)}]=${inLua(member)}`)
    return `{${members.join(',')}}`
  }
  return typeof value === 'string' ? quoted(value) : String(value)
}

async function run(order: LoadOrder): Promise<LoadReport> {
  const folder = await mkdtemp(join(tmpdir(), 'snipkeep-load-'))
  try {
    const file = join(folder, 'order.lua')
    const fresh = `${process.pid}-${performance.now()}-`
    await writeFile(file, `return ${inLua({ requests: order.requests, expected: order.expected, fresh })}`)
    const args = ['-t1', `-c${order.connections}`, `-d${order.seconds}s`, '--timeout', '10s']
    // Real clients run on other machines; here they must not compete with what is measured.
    const child = spawn('nice', ['-n', '10', 'wrk', ...args, '-s', 'bench/wrk-load.lua', order.baseUrl], {
      env: { PATH: process.env.PATH ?? '', LOAD_ORDER: file },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
    const report = /^report (\{.*\})$/m.exec(output)?.[1]
    if (report === undefined) throw new Error(`wrk printed nothing: ${output}${errors}`)
    return JSON.parse(report) as LoadReport
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Load by `wrk` with one thread; `wrk-load.lua` validates every response. */
export const wrkLoad: LoadTool = { name: 'wrk', run }
