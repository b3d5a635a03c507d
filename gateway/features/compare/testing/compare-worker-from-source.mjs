// Runs the thread of a comparison from its source, as vitest runs the rest.
import { register } from 'tsx/esm/api'

register()
await import('../compare-worker.ts')
