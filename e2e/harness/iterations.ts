/** Whether this is `npm run test:long`. */
export const isLong = process.env.TEST_LONG === 'true'

/** `usual` in a normal run, `long` under `npm run test:long`. */
export function iterations(usual: number, long: number): number {
  return isLong ? long : usual
}
