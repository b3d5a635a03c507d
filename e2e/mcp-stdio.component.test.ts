import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { installCli } from './harness/cli-program.js'
import { callTool, connectMcp, type McpEra, revisionOf } from './harness/mcp-client.js'
import { type SystemInProcess, startSystem } from './harness/system-in-process.js'

let folder: string
let program: string
let system: SystemInProcess
let env: Record<string, string>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'snipkeep-mcp-'))
  program = await installCli(folder)
  system = await startSystem()
  await system.user('fay', 'free')
  env = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    SNIPKEEP_SERVER: system.baseUrl(),
    SNIPKEEP_TOKEN: await system.issuer.token('fay'),
  }
})
afterAll(async () => {
  await system?.stop()
  await rm(folder, { recursive: true, force: true })
})

const transport = () =>
  new StdioClientTransport({ command: process.execPath, args: [program, 'mcp'], env, stderr: 'pipe' })

for (const era of ['legacy', 'auto'] as const satisfies readonly McpEra[]) {
  it(`snipkeep mcp serves clients of revision ${revisionOf[era]} on the Free plan`, async () => {
    const client = await connectMcp(transport(), era)
    expect(client.getNegotiatedProtocolVersion()).toBe(revisionOf[era])
    const content = 'name,role\r\nAda,"engineer"\r\n'
    const name = `team-${era}`
    const saved = await callTool(client, 'save_output', { tool: 'csv', content, name })
    expect(saved.first).toMatchObject({ created: true, name })
    expect((await callTool(client, 'get_output', { id: `@${name}`, pointer: '/csv' })).texts[1]).toBe(content)
    const shared = await callTool(client, 'share_output', { id: `@${name}` })
    const read = await system.anyone().get(`/api/shares/${shared.first.id}/raw?pointer=/csv`)
    expect(read.text).toBe(content)
    await client.close()
  })
}

it('runs the tools that format and convert on this machine', async () => {
  const before = system.gatewayOutput().length
  const client = await connectMcp(transport(), 'auto')
  const made = await callTool(client, 'convert', {
    from: 'yaml',
    to: 'json',
    content: 'id: 1.50',
    options: { indent: 4 },
  })
  expect([made.isError, made.texts[1]]).toEqual([false, '{\n    "id": 1.50\n}\n'])
  const bad = await callTool(client, 'run_tool', { tool: 'json-format', content: '[1,\n2' })
  expect(bad).toMatchObject({
    isError: true,
    first: { code: 'invalid_input', reason: 'json_invalid', line: 2 },
  })
  const option = await callTool(client, 'run_tool', {
    tool: 'json-format',
    content: '[]',
    options: { tab: true },
  })
  expect([option.isError, option.texts[0]]).toEqual([
    true,
    expect.stringContaining('the options indent, final_newline'),
  ])
  await client.close()
  expect(system.gatewayOutput().slice(before)).not.toContain('/api/tools')
})

it('rejects a call with 10 MB, recommends the command for it, and continues', async () => {
  const client = await connectMcp(transport(), 'auto')
  const huge = await callTool(client, 'save_output', { tool: 'csv', content: 'x'.repeat(10_000_000) })
  expect([huge.isError, huge.texts[0]]).toEqual([true, expect.stringContaining('snipkeep save FILE')])
  expect((await callTool(client, 'list_outputs')).isError).toBe(false)
  await client.close()
})

it('ends when standard input does, and reports immediately if not signed in', async () => {
  const child = spawn(process.execPath, [program, 'mcp'], { env })
  child.stdin.end()
  expect(await once(child, 'close')).toEqual([0, null])
  const signedOut = spawn(process.execPath, [program, 'mcp'], { env: { ...env, SNIPKEEP_TOKEN: '' } })
  const errors: Buffer[] = []
  signedOut.stderr.on('data', (chunk: Buffer) => errors.push(chunk))
  expect(await once(signedOut, 'close')).toEqual([4, null])
  expect(Buffer.concat(errors).toString()).toContain('snipkeep login')
})
