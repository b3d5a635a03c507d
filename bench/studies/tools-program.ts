// A program for the bench: runs a tool of ours, or what Node has for the same, on a file, and says what that took.
import { createReadStream, readFileSync, writeFileSync } from 'node:fs'
import { findTool } from '#engine/tools/registry.js'

/** What to run: a tool's name, or `node` and the indentation that JSON is written with. */
export interface ToolTask {
  readonly file: string
  readonly tool: string
  readonly options: Readonly<Record<string, unknown>>
}

/** What it took: the processor time of this process, and the memory beyond what it had before. */
export interface ToolTook {
  readonly cpuMs: number
  readonly mb: number
  readonly outputBytes: number
}

function memoryMb(name: 'VmHWM' | 'VmRSS'): number {
  const status = readFileSync('/proc/self/status', 'utf8')
  return Number(new RegExp(`${name}:\\s*(\\d+)`).exec(status)?.[1]) / 1_000
}

async function runTool({ file, tool, options }: ToolTask): Promise<number> {
  const run = await findTool(tool)?.load()
  if (run === undefined) throw new Error(`There is no tool ${tool}.`)
  let bytes = 0
  for await (const chunk of run(createReadStream(file), options)) bytes += chunk.length
  return bytes
}

function runNode({ file, options }: ToolTask): number {
  const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
  return Buffer.from(JSON.stringify(value, null, Number(options.indent ?? 0))).length
}

async function measured(task: ToolTask): Promise<ToolTook> {
  // The tool is loaded, and its code compiled as it will be in a worker that has run before.
  if (task.tool !== 'node') await findTool(task.tool)?.load()
  writeFileSync('/proc/self/clear_refs', '5')
  const before = memoryMb('VmRSS')
  const cpuBefore = process.cpuUsage()
  const outputBytes = task.tool === 'node' ? runNode(task) : await runTool(task)
  const { user, system } = process.cpuUsage(cpuBefore)
  return { cpuMs: (user + system) / 1_000, mb: memoryMb('VmHWM') - before, outputBytes }
}

process.on('message', (task: ToolTask) => {
  measured(task).then(
    (took) => process.send?.(took),
    (error: unknown) => process.send?.({ failure: String(error) }),
  )
})
process.on('disconnect', () => process.exit())
