import { runCommand } from '#libs/runtime/run-command.js'
import { runProcess } from '#libs/runtime/run-process.js'
import { readDatabaseConfig } from '#libs/service/service-config.js'
import { readConfig } from './config.js'
import { compose, migrateSchema, reconcileNow } from './wire.js'

const [, , command] = process.argv
if (command === 'migrate') await runCommand((env) => migrateSchema(readDatabaseConfig('billing', env)))
else if (command === 'reconcile') await runCommand((env) => reconcileNow(readConfig(env)))
else if (command === 'doctor') await runCommand(async (env) => (await import('./doctor.js')).doctor(env))
else await runProcess((env) => compose(readConfig(env)))
