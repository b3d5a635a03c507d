// Loaded into a measured process by `node --import`: removes the optimization named by BENCH_WITHOUT.
import { register } from 'node:module'

register('./replace-modules.mjs', import.meta.url)
