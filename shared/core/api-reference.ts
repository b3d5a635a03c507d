/**
 * Where the web application has the script that makes the documentation page, which the gateway serves, interactive. The
 * address stays the same from release to release; that of what the script imports changes with its content.
 */
export const apiReferencePath = '/api-reference.js'
