import { choice, integer, type Values } from '#libs/config/variables.js'
import type { PlanCatalogue } from '../core/plan.js'

/** The variables of the plan catalogue, declared by every process that applies a limit. */
export const planVariables = {
  PLAN_FREE_SNIPPETS: integer('Maximum snippets of a Free account.', { min: 0 }, 15),
  PLAN_FREE_REVISIONS: integer(
    'How many replaced versions of each snippet a Free account keeps.',
    { min: 0, max: 1_000 },
    5,
  ),
  PLAN_PRO_REVISIONS: integer(
    'How many replaced versions of each snippet a Pro account keeps. Every version is deleted after a year.',
    { min: 0, max: 1_000 },
    100,
  ),
  PLAN_FREE_CONTRACTS: integer('Maximum contracts of snippets of a Free account.', { min: 0 }, 3),
  PLAN_FREE_SHARES: integer('Maximum live shares of a Free account; 0 for no limit.', { min: 0 }, 200),
  PLAN_FREE_STORED_BYTES: integer(
    'Maximum total bytes of `data` of a Free account, including deleted data not yet removed; 0 for no limit.',
    { min: 0 },
    1_073_741_824,
  ),
  PLAN_PRO_STORED_BYTES: integer(
    'Maximum total bytes of `data` of a Pro account, including deleted data not yet removed; 0 for no limit.',
    { min: 0 },
    107_374_182_400,
  ),
  PLAN_FREE_SHARE_TTL_DAYS: integer(
    'Days until shares of a Free account expire; 0 for never.',
    { min: 0, max: 36_500 },
    30,
  ),
  PLAN_FREE_DATA_BYTES: integer(
    'Maximum bytes of `data` per snippet or share on Free.',
    { min: 2 },
    5_242_880,
  ),
  PLAN_PRO_DATA_BYTES: integer(
    'Maximum bytes of `data` per snippet or share on Pro.',
    { min: 2 },
    52_428_800,
  ),
  PLAN_FREE_HISTORY: integer('How many of the newest history entries a Free account keeps.', { min: 0 }, 20),
  PLAN_PRO_API_KEYS: integer('Maximum API keys of a Pro account.', { min: 0 }, 5),
  PLAN_PRO_TRUSTED_PUBLISHERS: integer(
    'Maximum trusted publishers of a Pro account; 0 turns keyless CI off.',
    { min: 0 },
    20,
  ),
  PAYMENT_PROVIDER: choice(
    'How Pro is sold: `stripe`; `sandbox` for development (no money moves); or `none` for self-hosting (everyone has Pro).',
    ['sandbox', 'stripe', 'none'],
    'sandbox',
  ),
}

/** A limit for which 0 means none. */
function unlessZero(value: number): number | null {
  return value === 0 ? null : value
}

type PlanValues = Values<typeof planVariables>

/** Whether every account is Pro, because Pro is not for sale. */
export function everyoneIsPro(values: Pick<PlanValues, 'PAYMENT_PROVIDER'>): boolean {
  return values.PAYMENT_PROVIDER === 'none'
}

/** The catalogue in these variables. If everyone is Pro, an account stored as Free has Pro's limits. */
export function planCatalogue(values: PlanValues): PlanCatalogue {
  const pro = {
    dataBytes: values.PLAN_PRO_DATA_BYTES,
    snippets: null,
    contracts: null,
    revisions: values.PLAN_PRO_REVISIONS,
    shares: null,
    storedBytes: unlessZero(values.PLAN_PRO_STORED_BYTES),
    shareTtlDays: null,
    history: null,
    apiKeys: values.PLAN_PRO_API_KEYS,
    trustedPublishers: values.PLAN_PRO_TRUSTED_PUBLISHERS,
  }
  if (everyoneIsPro(values)) return { free: pro, pro }
  return {
    free: {
      dataBytes: values.PLAN_FREE_DATA_BYTES,
      snippets: values.PLAN_FREE_SNIPPETS,
      contracts: values.PLAN_FREE_CONTRACTS,
      revisions: values.PLAN_FREE_REVISIONS,
      shares: unlessZero(values.PLAN_FREE_SHARES),
      storedBytes: unlessZero(values.PLAN_FREE_STORED_BYTES),
      shareTtlDays: unlessZero(values.PLAN_FREE_SHARE_TTL_DAYS),
      history: values.PLAN_FREE_HISTORY,
      apiKeys: 0,
      trustedPublishers: 0,
    },
    pro,
  }
}
