/** How long an idle connection is kept: longer than common load balancers do, which would else meet one that is just closed. */
export const keepAliveMs = 75_000
