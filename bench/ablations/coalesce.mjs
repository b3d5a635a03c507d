/** Each request is a call of its own. */
export const coalesce = (_gathering, together) => async (request) => {
  const [result] = await together([request])
  if (result?.status === 'fulfilled') return result.value
  throw result?.reason ?? new Error('a request was not answered')
}
