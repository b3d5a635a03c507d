import { runCommand } from '#libs/runtime/run-command.js'
import { runProcess } from '#libs/runtime/run-process.js'

// Each command loads only what it needs.
const [, , command] = process.argv
if (command === 'migrate') await runCommand(async (env) => (await import('./migrate.js')).migrateSchema(env))
else if (command === 'reconcile')
  await runCommand(async (env) => (await import('./wire.js')).reconcileNow(env))
else if (command === 'doctor') await runCommand(async (env) => (await import('./doctor.js')).doctor(env))
else await runProcess(async (env) => (await import('./wire.js')).compose(env))
