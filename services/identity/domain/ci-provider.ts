/** A CI provider, which determines the form of a token's claims. */
export type CiProvider = 'github' | 'gitlab' | 'other'

/** What we know about the claims of a provider. */
export interface CiProviderClaims {
  /** The repository's name. Names can change owners, so it identifies nothing. */
  readonly name: string | null
  /** Numbers that never change owners; a rule without them trusts no one. */
  readonly pins: readonly string[]
  /** What started the job. */
  readonly event: string | null
  /** Other claims that an owner may want to see. */
  readonly shown: readonly string[]
}

/** The claims of each provider; of other issuers only those that a rule names. */
export const ciProviders: Readonly<Record<CiProvider, CiProviderClaims>> = {
  github: {
    name: 'repository',
    pins: ['repository_id', 'repository_owner_id'],
    event: 'event_name',
    shown: [
      'sub',
      'repository_owner',
      'ref',
      'environment',
      'workflow_ref',
      'job_workflow_ref',
      'run_id',
      'run_attempt',
      'actor',
      'sha',
      'runner_environment',
    ],
  },
  gitlab: {
    name: 'project_path',
    pins: ['project_id', 'namespace_id'],
    event: 'pipeline_source',
    shown: [
      'sub',
      'namespace_path',
      'ref',
      'ref_protected',
      'environment',
      'ci_config_ref_uri',
      'pipeline_id',
      'job_id',
      'user_login',
      'sha',
      'runner_environment',
    ],
  },
  other: { name: null, pins: [], event: null, shown: ['sub'] },
}

/** Runs strangers' code with the repository's rights: no rule can allow it. */
const eventsNever: readonly string[] = ['pull_request_target']
/** Runs after strangers' jobs, on their output: only for rules that name it. */
const eventsIfNamed: readonly string[] = ['workflow_run']

/** Whether a rule with these events allows a job started by this event. */
export function isEventAllowed(event: string | undefined, named: readonly string[]): boolean {
  if (event === undefined || eventsNever.includes(event)) return false
  return named.length === 0 ? !eventsIfNamed.includes(event) : named.includes(event)
}

/** Whether no rule may name this event. */
export function isEventForbidden(event: string): boolean {
  return eventsNever.includes(event)
}
