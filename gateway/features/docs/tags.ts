/** The groups of operations, in the order of the documentation. */
const descriptions: Readonly<Record<string, string>> = {
  Snippets: 'Private outputs of tools, by id or by name, with their earlier versions.',
  Contracts: 'What the next versions of a snippet must be like, and the data that was checked against it.',
  Shares: 'Public links that never change, some of them behind a gate.',
  Comparison: 'What differs between two documents.',
  Tools: 'Formatting and converting, exactly.',
  History: 'What your tools did, without content.',
  'API keys': 'Credentials for programs.',
  'Trusted publishers': 'CI jobs that act for you without a stored secret.',
  Account: 'Your profile, your limits, what happened, and all of it as an archive.',
  Subscription: 'Buying and ending Pro.',
  Operator: 'For those who operate this installation; for everyone else these paths do not exist.',
  Assistants: 'The Model Context Protocol.',
  Documentation: 'This reference.',
  Operation: 'For probes and load balancers.',
}

/** The tags of the groups that an installation has, for the OpenAPI document. */
export function tagsOf(
  groups: Iterable<string>,
): readonly { readonly name: string; readonly description: string }[] {
  const used = new Set(groups)
  return Object.entries(descriptions)
    .filter(([name]) => used.has(name))
    .map(([name, description]) => ({ name, description }))
}
