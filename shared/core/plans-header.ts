/**
 * The request header in which the gateway gives the web application the plans for its front page, as `/api/plans` returns
 * them. Callers' own values are removed, like every internal header.
 */
export const plansHeader = 'x-snipkeep-plans'
