import { runProcess } from '#libs/runtime/run-process.js'
import { compose } from './compose.js'
import { readConfig } from './config.js'

await runProcess((env) => compose(readConfig(env)))
