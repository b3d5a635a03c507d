/** The pepper of every identity. */
export const pepper = 'the-pepper-of-the-tests-which-is-long-enough'

const { FAST_PATH } = process.env

/**
 * The default environment of every process: no rate limits; `FAST_PATH=false npm test` disables the fast
 * path.
 */
export const commonEnv: Readonly<Record<string, string>> = {
  NODE_ENV: 'test',
  RATE_LIMIT_STRICT: 'off',
  RATE_LIMIT_STANDARD: 'off',
  RATE_LIMIT_FAIR_USE: 'off',
  RATE_LIMIT_POINTER_BYTES: 'off',
  ...(FAST_PATH === undefined ? {} : { FAST_PATH }),
}
