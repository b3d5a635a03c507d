import { choice, integer, type Values } from '#libs/config/variables.js'
import type { PlanCatalogue } from '../core/plan.js'

/** The variables behind the plan catalogue and who holds which plan, declared by every process that applies a limit. */
export const planVariables = {
  PLAN_FREE_SNIPPETS: integer('Snippets that a Free account may keep.', { min: 0 }, 15),
  PLAN_FREE_SHARES: integer('Live shares that a Free account may have; 0 for no limit.', { min: 0 }, 200),
  PLAN_FREE_STORED_BYTES: integer(
    'Bytes of all `data` that a Free account may hold, what is deleted but not removed yet included; 0 for no limit.',
    { min: 0 },
    1_073_741_824,
  ),
  PLAN_PRO_STORED_BYTES: integer(
    'Bytes of all `data` that a Pro account may hold, what is deleted but not removed yet included; 0 for no limit.',
    { min: 0 },
    107_374_182_400,
  ),
  PLAN_FREE_SHARE_TTL_DAYS: integer(
    'Days after which shares of a Free account expire; 0 for never.',
    { min: 0, max: 36_500 },
    30,
  ),
  PLAN_FREE_DATA_BYTES: integer(
    'Bytes of `data` that Free allows in one snippet or share.',
    { min: 2 },
    5_242_880,
  ),
  PLAN_PRO_DATA_BYTES: integer(
    'Bytes of `data` that Pro allows in one snippet or share.',
    { min: 2 },
    52_428_800,
  ),
  PLAN_FREE_HISTORY: integer('Newest history entries that are kept for a Free account.', { min: 0 }, 20),
  PLAN_PRO_API_KEYS: integer('API keys that a Pro account may hold.', { min: 0 }, 5),
  PAYMENT_PROVIDER: choice(
    'Who sells Pro: `stripe`; `sandbox`, for development, where no money moves; or `none` for an installation of your own, where everyone is Pro.',
    ['sandbox', 'stripe', 'none'],
    'sandbox',
  ),
}

/** A limit of which 0 is none. */
function unlessZero(value: number): number | null {
  return value === 0 ? null : value
}

type PlanValues = Values<typeof planVariables>

/** Whether every account is Pro, because nobody sells it. */
export function everyoneIsPro(values: Pick<PlanValues, 'PAYMENT_PROVIDER'>): boolean {
  return values.PAYMENT_PROVIDER === 'none'
}

/** The catalogue that these variables describe. Where everyone is Pro, an account that is noted as Free has its limits. */
export function planCatalogue(values: PlanValues): PlanCatalogue {
  const pro = {
    dataBytes: values.PLAN_PRO_DATA_BYTES,
    snippets: null,
    shares: null,
    storedBytes: unlessZero(values.PLAN_PRO_STORED_BYTES),
    shareTtlDays: null,
    history: null,
    apiKeys: values.PLAN_PRO_API_KEYS,
  }
  if (everyoneIsPro(values)) return { free: pro, pro }
  return {
    free: {
      dataBytes: values.PLAN_FREE_DATA_BYTES,
      snippets: values.PLAN_FREE_SNIPPETS,
      shares: unlessZero(values.PLAN_FREE_SHARES),
      storedBytes: unlessZero(values.PLAN_FREE_STORED_BYTES),
      shareTtlDays: unlessZero(values.PLAN_FREE_SHARE_TTL_DAYS),
      history: values.PLAN_FREE_HISTORY,
      apiKeys: 0,
    },
    pro,
  }
}
