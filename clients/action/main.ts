import { runAction } from './run-action.js'

process.exitCode = await runAction(process.env, (text) => void process.stdout.write(text))
