/**
 * The path of the script, served by the web application, that makes the gateway's documentation page interactive. The
 * path never changes; that of its imports changes with their content.
 */
export const apiReferencePath = '/api-reference.js'
