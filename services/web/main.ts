import { runCommand } from '#libs/runtime/run-command.js'
import { runProcess } from '#libs/runtime/run-process.js'
import { readConfig } from './config.js'
import { compose } from './wire.js'

if (process.argv[2] === 'doctor') await runCommand(async (env) => (await import('./doctor.js')).doctor(env))
else await runProcess((env) => compose(readConfig(env)))
