import { runCommand } from '#libs/runtime/run-command.js'
import { runProcess } from '#libs/runtime/run-process.js'
import { compose, migrateSchema } from './compose.js'
import { readConfig } from './config.js'

if (process.argv[2] === 'migrate') await runCommand((env) => migrateSchema(readConfig(env)))
else await runProcess((env) => compose(readConfig(env)))
