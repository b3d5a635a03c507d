import { runCommand } from '#libs/runtime/run-command.js'
import { runProcess } from '#libs/runtime/run-process.js'
import { readDatabaseConfig } from '#libs/service/service-config.js'
import { readConfig } from './config.js'
import { compose, migrateSchema } from './wire.js'

const [, , command] = process.argv
if (command === 'migrate') await runCommand((env) => migrateSchema(readDatabaseConfig('identity', env)))
else if (command === 'doctor') await runCommand(async (env) => (await import('./doctor.js')).doctor(env))
else if (command === undefined) await runProcess((env) => compose(readConfig(env)))
else await runCommand(async (env) => (await import('./operator.js')).operate(env, process.argv.slice(2)))
