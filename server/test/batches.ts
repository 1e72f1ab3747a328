import fc from 'fast-check'
import { expect } from 'vitest'
import { runOn } from '#server/platform/db/run.ts'
import { type ContactAddress, readContact } from '#server/identity/customers/contact.ts'
import { createCustomer, type Customer } from '#server/identity/customers/customers.ts'
import { type TestDeps, testClock } from '#server/test/bank.ts'

/**
 * Checks that a batched look-up returns the same answer or refusal for each question as a look-up of that question alone.
 * `questions` has all kinds of questions, including those of hostile customers. They are asked in random groups and order. A
 * group may contain a question several times.
 */
export async function expectBatchesToAnswerAsSingles<Question, Answer>(
  lookUp: (question: Question) => Promise<Answer>,
  questions: readonly Question[],
): Promise<void> {
  const ask = (question: Question): Promise<unknown> => lookUp(question).catch((refusal: unknown) => refusal)
  const singleAnswers = new Map<Question, unknown>()
  for (const question of questions) singleAnswers.set(question, await ask(question))
  const answers = [...singleAnswers.values()].map((answer) => JSON.stringify(answer))
  if (new Set(answers).size < 2) throw new Error('Questions that all have one answer test nothing')
  const batch = fc.array(fc.constantFrom(...questions), { minLength: 2, maxLength: 30 })
  const property = fc.asyncProperty(batch, async (requests) => {
    // The look-ups start in one turn of the event loop, so they share a query.
    const batchAnswers = await Promise.all(requests.map(ask))
    expect(batchAnswers).toEqual(requests.map((question) => singleAnswers.get(question)))
  })
  await fc.assert(property, { numRuns: 40 })
}

export type HostileCrowd = {
  /** The customers by their role. */
  customers: Record<'victim' | 'email_thief' | 'phone_thief' | 'twin_thief' | 'newcomer' | 'mover' | 'closed', Customer>
  /** All current and former addresses of the customers, and some unknown ones. */
  contacts: ContactAddress[]
}

/**
 * Opens customers with each other's addresses: unconfirmed addresses of others, with or without confirmed ones of their own, a
 * number that has moved to another customer, and a closed customer.
 */
export async function openHostileCrowd({ deps }: Pick<TestDeps, 'deps'>): Promise<HostileCrowd> {
  const open = (name: string, email: string, phone: string | null, unconfirmed: ContactAddress['kind'][] = []) =>
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
  const contacts = [...new Set([...texts, ...nobodys])]
    .map((text) => readContact(text))
    .filter((contact) => contact !== null)
  return { customers, contacts }
}
