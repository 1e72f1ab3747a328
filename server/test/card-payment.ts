import { randomUUID } from 'node:crypto'
import { bankAccount } from '#server/ledger/chart.ts'
import type { Detail } from '#server/ledger/types.ts'
import type { TestPerson } from '#server/test/people.ts'
import type { TestServer } from '#server/test/server.ts'

/** `amountMinor` is US cents, negative for a refund. */
type CardPayment = { amountMinor: number; bookedAt: Date; detail: Detail }

/** Books a card payment from a customer's current account without the card scheme. Returns the operation's id. */
export async function bookCardPayment(
  { deps }: Pick<TestServer, 'deps'>,
  { customer }: Pick<TestPerson, 'customer'>,
  { amountMinor, bookedAt, detail }: CardPayment,
): Promise<string> {
  const [scheme, current] = [bankAccount('card_scheme'), customer.currentAccountId]
  const [debit, credit] = amountMinor > 0 ? [current, scheme] : [scheme, current]
  const id = randomUUID()
  await deps.ledger.post({
    id,
    kind: 'card.payment',
    fingerprint: 'spend',
    bookedAt,
    legs: [{ kind: 'transfer', debit, credit, amountMinor: Math.abs(amountMinor), detail }],
  })
  return id
}
