/** The pepper of every identity. */
export const pepper = 'the-pepper-of-the-tests-which-is-long-enough'

const { INTERNAL_FAST_PATH } = process.env

/**
 * The default environment of every process: no rate limits; `INTERNAL_FAST_PATH=false npm test` disables the fast
 * path.
 */
export const commonEnv: Readonly<Record<string, string>> = {
  NODE_ENV: 'test',
  RATE_LIMIT_STRICT: 'off',
  RATE_LIMIT_STANDARD: 'off',
  RATE_LIMIT_FAIR_USE: 'off',
  INTERNAL_RATE_LIMIT_POINTER_BYTES: 'off',
  ...(INTERNAL_FAST_PATH === undefined ? {} : { INTERNAL_FAST_PATH }),
}
