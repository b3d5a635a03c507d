// Loaded by `node --import` into a process under measurement: it does without the mechanism that BENCH_WITHOUT names.
import { register } from 'node:module'

register('./replace-modules.mjs', import.meta.url)
