import { serveDocument } from '../document/serve-document.js'
import { readOutput, type WantedRun } from './read-output.js'

// The worker of one run: it runs the tool, keeps the output and runs the queries of the page.

serveDocument((wanted: WantedRun, onProgress) => readOutput(wanted, onProgress))
