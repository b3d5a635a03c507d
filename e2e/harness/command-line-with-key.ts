import { buildCommandLine, type CommandLine } from './command-line.js'
import { type InProcessOptions, type SystemInProcess, startSystem } from './system-in-process.js'

/** A command line with an API key of a Pro user, and its server. */
export interface CommandLineWithKey {
  readonly cli: CommandLine
  readonly system: SystemInProcess
  stop(): Promise<void>
}

/** Builds the command line, starts a system, and creates the key. */
export async function startCommandLineWithKey(options?: InProcessOptions): Promise<CommandLineWithKey> {
  const cli = await buildCommandLine()
  const system = await startSystem(options)
  const pro = await system.user('mia', 'pro')
  const { key } = (await pro.post('/api/keys', { name: 'cli' })).json<{ readonly key: string }>()
  cli.env = { SNIPKEEP_SERVER: system.baseUrl(), SNIPKEEP_KEY: key }
  return {
    cli,
    system,
    async stop() {
      await system.stop()
      await cli.stop()
    },
  }
}
