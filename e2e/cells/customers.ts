import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { STEP_UP_HEADER } from '#contract/step-up.ts'
import { type Browser, openBrowser } from '#server/test/browser.ts'
import { type BankCell, randomBelow } from './bank-cells.ts'

const TRY_AGAIN_MS = 100
const PATIENCE_MS = 10_000

type Somebody = { browser: Browser; email: string; password: string }

export type CellCustomer = Somebody & {
  bank: BankCell
  name: string
  customerId: string
  accountNumber: string
  /** The linked account in the other cell to which this customer pays. */
  linkedId: string
}

type SendOptions = { body?: object; key?: string }

/**
 * Sends a request until the bank answers, because the bank may just have been killed. Proves the customer's identity if the
 * bank requires it.
 */
async function send(customer: Somebody, path: string, options: SendOptions = {}): Promise<Response> {
  const key = options.key ?? randomUUID()
  for (;;) {
    const answer = await tryOnce(customer, path, { ...options, key }).catch(() => null)
    if (answer && answer.status < 500 && answer.status !== 429 && answer.status !== 401) return answer
    await answer?.text()
    // A proof of identity renews the session. If the response is lost in a crash, the new session is lost too.
    if (answer?.status === 401) await signIn(customer)
    await sleep(TRY_AGAIN_MS)
  }
}

async function tryOnce({ browser, password }: Somebody, path: string, { body, key }: SendOptions) {
  const text = JSON.stringify(body ?? {})
  const post = (headers: Record<string, string> = {}) => {
    const answer = browser.send('POST', path, text, { ...(key ? { key } : {}), headers })
    return Promise.race([
      answer,
      sleep(PATIENCE_MS).then(() => Promise.reject(new Error('No answer arrived within the time limit'))),
    ])
  }
  const firstAnswer = await post()
  const token = firstAnswer.headers.get(STEP_UP_HEADER)
  if (firstAnswer.status !== 403 || token === null) return firstAnswer
  await firstAnswer.text()
  const proof = await browser.post(`/api/v1/step-ups/${token}`, { password })
  await proof.text()
  if (proof.status !== 204) throw new Error(`The proof was refused: ${proof.status}`)
  return post({ [STEP_UP_HEADER]: token })
}

async function signIn({ browser, email, password }: Somebody): Promise<void> {
  const answer = await browser.post('/api/v1/session', { email, password }).catch(() => null)
  await answer?.text()
}

async function readContent<Content>(answer: Response): Promise<Content> {
  if (answer.ok) return (await answer.json()) as Content
  throw new Error(`${answer.url} answered ${answer.status}: ${await answer.text()}`)
}

async function read<Content>(customer: Somebody, path: string): Promise<Content> {
  for (;;) {
    const answer = await customer.browser.get(path).catch(() => null)
    if (answer && answer.status < 500 && answer.status !== 401) return readContent(answer)
    await answer?.text()
    if (answer?.status === 401) await signIn(customer)
    await sleep(TRY_AGAIN_MS)
  }
}

const FIRST = ['Ada', 'Ben', 'Cleo', 'Dan', 'Eva', 'Finn', 'Gina', 'Hugo', 'Ida', 'Jan']
const LAST = ['Abbot', 'Berg', 'Costa', 'Dietz', 'Engel', 'Frost']

/** Signs up a new customer with a cell, and reads their account details. */
export async function signUpAtCell(bank: BankCell, place: number): Promise<CellCustomer> {
  const browser = openBrowser(() => bank.url)
  const name = `${FIRST[place % FIRST.length]} ${LAST[Math.floor(place / FIRST.length) % LAST.length]}`
  const password = `correct-horse-${randomUUID()}`
  const email = `${bank.name}.${place}.${randomUUID().slice(0, 8)}@example.com`
  const phone = `+1415${bank.name === 'north' ? 555 : 556}${String(2000 + place)}`
  const customer = { browser, email, password }
  await readContent(await send(customer, '/api/v1/customers', { body: { fullName: name, email, phone, password } }))
  const { details } = await read<{ details: { accountNumber: string } }>(customer, '/api/v1/account-details')
  const { rows } = await bank.books.query<{ id: string }>('SELECT id FROM bank.customer WHERE email = $1', [email])
  const customerId = rows[0]?.id ?? ''
  // Confirms the email, as the link in the mail does. Without it, the customer cannot sign in again.
  await bank.books.query('UPDATE bank.customer SET email_confirmed_at = now() WHERE id = $1', [customerId])
  return { ...customer, bank, name, customerId, accountNumber: details.accountNumber, linkedId: '' }
}

/** Links an account at another bank. The bank sends it two small deposits. */
export async function linkExternal(
  customer: CellCustomer,
  externalAccount: { holderName: string; routingNumber: string; accountNumber: string },
) {
  const body = { bankName: 'The other cell', ...externalAccount }
  const { account } = await readContent<{ account: { id: string } }>(
    await send(customer, '/api/v1/linked-accounts', { body }),
  )
  return account.id
}

type Listed = { transactions: { id: string; transactionId: string; amountMinor: number; name: string }[] }

/** Waits until both newest deposits are in a customer's list, and returns their amounts. */
async function depositsOf(payee: CellCustomer): Promise<[number, number]> {
  for (;;) {
    const { transactions } = await read<Listed>(payee, '/api/v1/transactions?limit=20')
    const cents = transactions.map(({ amountMinor }) => amountMinor).filter((minor) => minor > 0 && minor < 1_00)
    if (cents[0] !== undefined && cents[1] !== undefined) return [cents[0], cents[1]]
    await sleep(TRY_AGAIN_MS)
  }
}

/** Links an account of the other cell. `payee`, its holder, reads the amounts of the two deposits. */
export async function linkToOtherCell(customer: CellCustomer, payee: CellCustomer): Promise<void> {
  const { routingNumber } = payee.bank
  const account = { holderName: payee.name, routingNumber, accountNumber: payee.accountNumber }
  customer.linkedId = await linkExternal(customer, account)
  const [firstMinor, secondMinor] = await depositsOf(payee)
  const path = `/api/v1/linked-accounts/${customer.linkedId}/verification`
  await readContent(await send(customer, path, { body: { firstMinor, secondMinor } }))
}

async function availableOf(customer: CellCustomer): Promise<number> {
  const { account } = await read<{ account: { availableMinor: number } }>(customer, '/api/v1/dashboard')
  return account.availableMinor
}

/** Moves money to the account in the other cell, once. Returns the id of the payout. */
export async function payToOtherCell(customer: CellCustomer, amountMinor: number): Promise<string> {
  const path = `/api/v1/linked-accounts/${customer.linkedId}/payouts`
  const answer = await send(customer, path, { body: { amountMinor, asset: 'USD' }, key: randomUUID() })
  return (await readContent<{ transaction: { id: string } }>(answer)).transaction.id
}

/** Closes a customer's account once their money has left it. */
export async function closeCellAccount(customer: CellCustomer): Promise<void> {
  const availableMinor = await availableOf(customer)
  if (availableMinor > 0) await payToOtherCell(customer, availableMinor)
  for (;;) {
    const answer = await send(customer, '/api/v1/profile/closure')
    if (answer.ok) return
    const body = await answer.text()
    // Their last payout has not arrived yet.
    if (!body.includes('balance_not_zero')) throw new Error(`The account was not closed: ${body}`)
    await sleep(TRY_AGAIN_MS)
  }
}

/** Runs `work` for each item in random order, with a limited number at a time. */
export async function forEachAtRandom<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<void>,
) {
  const remainingItems = items
    .map((item) => ({ item, place: randomBelow(2 ** 30) }))
    .toSorted((first, second) => first.place - second.place)
    .values()
  const worker = async () => {
    for (const { item } of remainingItems) await work(item)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}
