import { runProcess } from '#libs/runtime/run-process.js'
import { readConfig } from './config.js'
import { compose } from './wire.js'

await runProcess((env) => compose(readConfig(env)))
