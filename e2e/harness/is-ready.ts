/** Whether a gateway, or a proxy in front of some, says that it is ready. */
export async function isReady(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/readyz`)
  await answer.body?.cancel()
  return answer.status === 200
}
