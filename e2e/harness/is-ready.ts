/** Whether a gateway, or a proxy in front of several, reports ready. */
export async function isReady(url: string): Promise<boolean> {
  const response = await fetch(`${url}/readyz`)
  await response.body?.cancel()
  return response.status === 200
}
