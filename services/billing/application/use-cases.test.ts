import { checkoutCases } from '../testing/checkout-cases.js'
import { closureCases } from '../testing/closure-cases.js'
import { eventCases } from '../testing/event-cases.js'
import { grantCases } from '../testing/grant-cases.js'
import { memoryBilling } from '../testing/memory-billing.js'

const open = async () => memoryBilling()

checkoutCases('starting to pay, in memory', open)
eventCases('events, in memory', open)
closureCases('closed accounts, in memory', open)
grantCases('plans given by hand, in memory', open)
