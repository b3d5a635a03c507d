import { inject } from 'vitest'
import { s3Contract } from './s3-contract.js'

s3Contract(() => inject('s3'))
