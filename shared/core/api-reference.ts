/**
 * What the gateway's reference of the API loads from the web application: the script and the style of the guides. These
 * paths never change; that of what the script imports changes with its content.
 */
export const apiReferenceFiles = { script: '/api-reference.js', style: '/api-reference.css' } as const
