import fc from 'fast-check'
import { expect } from 'vitest'
import { runOn } from '#server/platform/db/run.ts'
import { type Contact, readContact } from '#server/identity/customers/contact.ts'
import { createCustomer, type Customer } from '#server/identity/customers/customers.ts'
import { type TestDeps, testClock } from '#server/test/bank.ts'

/**
 * Asserts that a look-up which answers many questions with one query gives each the answer it gives to that question
 * alone, a refusal included. `questions`: whatever may be asked, by hostile customers too; they are asked in random
 * company and order, some of them twice.
 */
export async function expectBatchesToAnswerAsSingles<Question, Answer>(
  lookUp: (question: Question) => Promise<Answer>,
  questions: readonly Question[],
): Promise<void> {
  const ask = (question: Question): Promise<unknown> => lookUp(question).catch((refusal: unknown) => refusal)
  const alone = new Map<Question, unknown>()
  for (const question of questions) alone.set(question, await ask(question))
  const answers = [...alone.values()].map((answer) => JSON.stringify(answer))
  if (new Set(answers).size < 2) throw new Error('Questions that all have one answer test nothing')
  const batch = fc.array(fc.constantFrom(...questions), { minLength: 2, maxLength: 30 })
  const property = fc.asyncProperty(batch, async (asked) => {
    // Asked in one turn, so that they share a query.
    const together = await Promise.all(asked.map(ask))
    expect(together).toEqual(asked.map((question) => alone.get(question)))
  })
  await fc.assert(property, { numRuns: 40 })
}

export type HostileCrowd = {
  /** By what they are up to. */
  customers: Record<'victim' | 'email_thief' | 'phone_thief' | 'twin_thief' | 'newcomer' | 'mover' | 'closed', Customer>
  /** Every address that any of them has or had, and some unknown ones. */
  contacts: Contact[]
}

/**
 * Customers who sign up with each other's addresses: unconfirmed ones of somebody else beside confirmed ones of their
 * own, a number that has moved on to somebody else, and one who has closed their account.
 */
export async function openHostileCrowd({ deps }: Pick<TestDeps, 'deps'>): Promise<HostileCrowd> {
  const open = (name: string, email: string, phone: string | null, unconfirmed: Contact['kind'][] = []) =>
    createCustomer(deps, { fullName: name, email: `${email}@example.com`, phone, unconfirmed })
  const customers = {
    victim: await open('Vera Victim', 'vera', '+447700900001'),
    email_thief: await open('Mal Lory', 'vera', '+447700900002', ['email']),
    phone_thief: await open('Mel Lory', 'mel', '+447700900001', ['phone']),
    twin_thief: await open('Twin Lory', 'vera', '+447700900001', ['email', 'phone']),
    newcomer: await open('Nora New', 'nora', '+447700900003'),
    mover: await open('Otto Old', 'otto', '+447700900003', ['phone']),
    closed: await open('Cleo Closed', 'cleo', '+447700900004'),
  }
  await runOn(deps.pool)(
    'UPDATE bank.customer SET closed_at = $2, email_confirmed_at = NULL, phone_confirmed_at = NULL WHERE id = $1',
    [customers.closed.id, testClock().businessNow()],
  )
  const texts = Object.values(customers).flatMap(({ email, phone }) => [email, phone ?? ''])
  const nobodys = ['nobody@example.com', '+447700900099', 'vera@example.org']
  const contacts = [...new Set([...texts, ...nobodys])].map((text) => readContact(text)).filter((read) => read !== null)
  return { customers, contacts }
}
