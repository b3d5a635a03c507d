import { runCommand } from '#libs/runtime/run-command.js'
import { runProcess } from '#libs/runtime/run-process.js'
import { compose } from './compose.js'
import { readConfig } from './config.js'

if (process.argv[2] === 'doctor') await runCommand(async (env) => (await import('./doctor.js')).doctor(env))
else await runProcess((env) => compose(readConfig(env)))
