import { runLauncher } from './run-launcher.js'

await runLauncher(process.env)
