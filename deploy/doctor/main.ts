import { runCommand } from '#libs/runtime/run-command.js'
import { checkInstallation } from './check-installation.js'

await runCommand((env) => checkInstallation(env, process.argv.slice(2)))
