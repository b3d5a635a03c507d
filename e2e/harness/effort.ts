/** `usual` in a normal run; `long` under `npm run test:long`, which takes what it takes. */
export function effort(usual: number, long: number): number {
  return process.env.TEST_LONG === 'true' ? long : usual
}
