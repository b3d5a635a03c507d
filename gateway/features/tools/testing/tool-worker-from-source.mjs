// Runs the thread of a tool from its source, as vitest runs the rest.
import { register } from 'tsx/esm/api'

register()
await import('../tool-worker.ts')
