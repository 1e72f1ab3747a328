import { type Secret, secretsOf } from '#server/platform/secrets/derived-key.ts'
import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'
import parsePhoneNumber from 'libphonenumber-js/max'
import { Refusal } from '#contract/errors.ts'
import type { Client } from '#server/identity/sessions/client.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { canSendTexts, sendText } from '#server/messages/service.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Deps } from '#server/platform/deps.ts'
import { countRequest, counterKey, countClientNetworks, limiterFor } from '#server/platform/http/rate-limit.ts'

/** A code has six digits and is valid for ten minutes of real time. It allows five wrong attempts. */
const DIGITS = 6
const LIFETIME_MS = 10 * 60_000
const TRIES = 5

const DAY = 24 * 60 * 60

/**
 * The limits of texts per day. Unverified customers share limits per number, per network and for the whole bank. Verified
 * customers have separate limits, so that unverified ones cannot use them up.
 */
const LIMITS = {
  customer: { name: 'text-customer', points: 5, seconds: DAY },
  source: { name: 'text-source', points: 10, seconds: DAY },
  number: { name: 'text-number', points: 5, seconds: DAY },
} as const

/** The types of numbers that charge the caller or do not belong to one person. */
const NOT_TEXTED = new Set(['PREMIUM_RATE', 'SHARED_COST', 'TOLL_FREE', 'UAN', 'PAGER', 'VOICEMAIL'])

function digestOf({ config }: { config: Secret }, customerId: string, phone: string, code: string): string {
  return createHmac('sha256', config.secret).update(`phone code\n${customerId}\n${phone}\n${code}`).digest('base64url')
}

type PhoneCodeRequest = {
  customer: Pick<Customer, 'id' | 'verified'>
  phone: string
  client: Pick<Client, 'source' | 'site'>
}

/** Counts a text. The customer's own limit comes first, so that exceeding it does not count against the shared limits. */
async function countText(deps: Pick<Deps, 'limiters' | 'config' | 'policy'>, request: PhoneCodeRequest): Promise<void> {
  const { customer, phone, client } = request
  await countRequest(limiterFor(deps, LIMITS.customer), customer.id)
  const group = customer.verified ? 'verified' : 'unverified'
  if (!customer.verified) await countClientNetworks(deps, client, LIMITS.source)
  await countRequest(limiterFor(deps, LIMITS.number), `${group} ${counterKey(deps, phone)}`)
  const perBank = { name: `text-bank-${group}`, points: deps.policy.textsPerDay[group], seconds: DAY }
  await countRequest(limiterFor(deps, perBank), 'all')
}

/**
 * Texts a new code to a customer's number and voids the previous code. The response does not reveal whether the number belongs
 * to another customer. Does nothing if the number is already confirmed. Throws Refusal `fields_missing` naming the phone,
 * `phone_invalid`, `texts_unavailable` and `too_many_requests`.
 */
export async function sendPhoneCode(
  deps: Pick<Deps, 'limiters' | 'db' | 'clock' | 'config' | 'policy'>,
  { id, verified }: Pick<Customer, 'id' | 'verified'>,
  client: Pick<Client, 'source' | 'site'>,
): Promise<void> {
  const { phone, phone_confirmed_at: confirmedAt } = await deps.db
    .selectFrom('bank.customer')
    .select(['phone', 'phone_confirmed_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  if (phone === null) throw new Refusal('fields_missing', 'phone')
  if (confirmedAt !== null) return
  if (!canSendTexts(deps)) throw new Refusal('texts_unavailable')
  if (NOT_TEXTED.has(parsePhoneNumber(phone)?.getType() ?? '')) throw new Refusal('phone_invalid', 'phone')
  await countText(deps, { customer: { id, verified }, phone, client })
  const code = String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0')
  const expiresAt = new Date(deps.clock.realNow().getTime() + LIFETIME_MS)
  const fresh = { phone, digest: digestOf(deps, id, phone, code), tries: 0, expires_at: expiresAt }
  await inTransaction(deps.db, async (trx) => {
    await trx
      .insertInto('bank.phone_code')
      .values({ customer_id: id, ...fresh })
      .onConflict((conflict) => conflict.column('customer_id').doUpdateSet(fresh))
      .execute()
    // A sample bank shows its texts in the mailbox page. The number's confirmed holder must see the text there, and the
    // customer who typed the number must not.
    const holder = deps.policy.mailboxPage
      ? await trx
          .selectFrom('bank.customer')
          .select('id')
          .where('phone', '=', phone)
          .where('phone_confirmed_at', 'is not', null)
          .executeTakeFirst()
      : undefined
    await sendText(deps, trx, {
      to: phone,
      kind: 'phone_code',
      params: { code },
      customerId: holder?.id ?? id,
      expiresAt,
    })
  })
}

/** A correct code. It works once, while the customer has this number. */
export type RightCode = { phone: string; digest: string }

/**
 * Compares a code with the latest one. The attempt is counted before the comparison, so of a hundred concurrent attempts five
 * are compared. Throws Refusal `phone_code_wrong` naming the code. Throws `phone_code_ended` if no code was sent, or if it has
 * expired or has no attempts left.
 */
export async function checkPhoneCode(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
  customerId: string,
  code: string,
): Promise<RightCode> {
  const sentCode = await deps.db
    .updateTable('bank.phone_code')
    .set((row) => ({ tries: row('tries', '+', 1) }))
    .where('customer_id', '=', customerId)
    .where('tries', '<', TRIES)
    .where('expires_at', '>', deps.clock.realNow())
    .returning(['phone', 'digest'])
    .executeTakeFirst()
  if (!sentCode) throw new Refusal('phone_code_ended')
  const digits = code.replaceAll(/\D/g, '')
  const isRight = secretsOf(deps.config).some((config) =>
    timingSafeEqual(
      Buffer.from(digestOf({ config }, customerId, sentCode.phone, digits)),
      Buffer.from(sentCode.digest),
    ),
  )
  if (!isRight) throw new Refusal('phone_code_wrong', 'code')
  return sentCode
}
