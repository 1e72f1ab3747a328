import { expect, test } from 'vitest'
import { referenceOf, transactionIdOf } from '#server/accounts/identifiers.ts'

const ID = '6f1c9a4e-2a1b-4c53-8b7e-0d6f5a3c2b10'

test('an operation has one transaction id and one reference, for any case of its id', () => {
  expect(transactionIdOf(ID)).toMatch(/^TXN[0-9A-HJKMNP-TV-Z]{9}$/)
  expect(referenceOf(ID)).toMatch(/^REF[0-9A-HJKMNP-TV-Z]{6}$/)
  expect(transactionIdOf(ID.toUpperCase())).toBe(transactionIdOf(ID))
  expect(referenceOf(ID.toUpperCase())).toBe(referenceOf(ID))
})

test('the reference is not a part of the transaction id, and ten thousand operations have different references', () => {
  expect(transactionIdOf(ID)).not.toContain(referenceOf(ID).slice(3))
  const ids = Array.from({ length: 10_000 }, () => transactionIdOf(crypto.randomUUID()))
  expect(new Set(ids).size).toBe(ids.length)
})
