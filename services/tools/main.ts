import { runCommand } from '#libs/runtime/run-command.js'
import { runProcess } from '#libs/runtime/run-process.js'

// Each command loads only what it needs.
if (process.argv[2] === 'doctor') await runCommand(async (env) => (await import('./doctor.js')).doctor(env))
else await runProcess(async (env) => (await import('./wire.js')).compose(env))
