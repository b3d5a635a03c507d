import { checkoutCases } from '../testing/checkout-cases.js'
import { closureCases } from '../testing/closure-cases.js'
import { eventCases } from '../testing/event-cases.js'
import { manualPlanCases } from '../testing/manual-plan-cases.js'
import { memoryBilling } from '../testing/memory-billing.js'

const open = async () => memoryBilling()

checkoutCases('starting to pay, in memory', open)
eventCases('events, in memory', open)
closureCases('closed accounts, in memory', open)
manualPlanCases('plans given by hand, in memory', open)
