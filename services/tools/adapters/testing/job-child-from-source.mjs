// Runs the child process of jobs from its source, as vitest runs the rest.
import { register } from 'tsx/esm/api'

register()
await import('../job-child.ts')
