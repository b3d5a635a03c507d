import { runCommand } from '#libs/runtime/run-command.js'
import { runDrill } from './run-drill.js'

await runCommand(runDrill)
