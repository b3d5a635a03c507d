import { runCommand } from '#libs/runtime/run-command.js'
import { examineInstallation } from './examine-installation.js'

await runCommand((env) => examineInstallation(env, process.argv.slice(2)))
