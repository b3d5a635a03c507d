/**
 * The request header in which the gateway gives the web application a placeholder for the nonce: 32 hexadecimal
 * digits that it replaces in each copy of the page. Callers' own values are removed, like every internal header.
 */
export const pageNonceHeader = 'x-snipkeep-page-nonce'
