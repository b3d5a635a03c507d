import { runCommand } from '#libs/runtime/run-command.js'
import { operateInstallation } from './operate-installation.js'

await runCommand((env) => operateInstallation(env, process.argv.slice(2)))
